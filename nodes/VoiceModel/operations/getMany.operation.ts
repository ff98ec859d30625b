import { listVoices, voiceListFields } from '../../shared/runtime/voiceList';
import type { ItemOperation } from '../../shared/runtime/operation';

/** Lists the account's own voices: in the list (interface, 4.6) they are the ones that are not public. */
export const getMany: ItemOperation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many voice models',
	description: 'List the voices that you have created',
	fields: voiceListFields('private'),
	run: listVoices,
};
