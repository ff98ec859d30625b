import { listVoices, voiceListFields } from '../../shared/runtime/voiceList';
import type { ItemOperation } from '../../shared/runtime/operation';

/** Lists the account's own voices: those that are not public in the voice list (interface, 4.6). */
export const getMany: ItemOperation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many cloned voices',
	description: 'List the voices that you have created',
	fields: voiceListFields('private'),
	run: listVoices,
};
