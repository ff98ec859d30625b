import { listVoices, voiceListFields } from '../../shared/run/voiceList';
import type { ItemOperation } from '../../shared/run/operation';

/** Lists all voices (interface, 4.6): of a public one, the list does not say who has created it. */
export const getMany: ItemOperation = {
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many voice models',
	description: 'List the voices that you have created and the built-in ones',
	fields: voiceListFields,
	run: listVoices,
};
