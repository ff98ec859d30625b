import type { ItemOperation } from '../../shared/run/operation';
import { ask } from '../ask';
import { chatFields } from '../fields';
import type { ChatFormat } from '../formats/chatFormat';

/** Asks a model in a format. */
export function messageIn(format: ChatFormat): ItemOperation {
	return { ...format.operation, fields: chatFields(format), run: (call) => ask(call, format) };
}
