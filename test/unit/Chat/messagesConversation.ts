import type { Conversation } from '../../../nodes/Chat/formats/conversation';
import { messages as format } from '../../../nodes/Chat/formats/messages/format';
import { OptionValues } from '../../../nodes/shared/run/parameterReader';

/** The `messages` and `system` of a conversation in the messages format. */
export function messagesConversation(input: Conversation) {
	const settings = { options: new OptionValues({}), generation: {} };
	const { messages, system } = format.request.body({
		...{ ...settings, model: 'm', input, tools: [], extra: {}, streamed: false },
	});
	return { messages, ...(system === undefined ? {} : { system }) };
}
