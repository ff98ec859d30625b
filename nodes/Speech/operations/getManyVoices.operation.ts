import { listVoices, voiceListFields } from '../../shared/run/voiceList';
import type { ItemOperation } from '../../shared/run/operation';

/** Lists the voices that the account can use (interface, 4.6). */
export const getManyVoices: ItemOperation = {
	value: 'getManyVoices',
	name: 'Get Many Voices',
	action: 'Get many voices',
	description: 'List the built-in voices and your own',
	fields: voiceListFields,
	run: listVoices,
};
