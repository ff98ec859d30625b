import type { IDataObject } from 'n8n-workflow';
import { fetchVoices } from '../gateway/voices';
import { filterVoices, simplifyVoice } from '../gateway/voiceSchema';
import type { Call } from './call';
import type { OperationResult } from './operation';

/** What an operation with `voiceListFields` does (interface, 4.6): one item per voice. */
export async function listVoices(call: Call): Promise<OperationResult[]> {
	const filter = { text: call.text('filter'), visibility: call.text('visibility') };
	const voices = filterVoices(await fetchVoices(call.client, call.requestOptions), filter);
	const limit = call.flag('returnAll') ? voices.length : call.number('limit', 'Limit');
	const simplify = call.flag('simplify');
	return voices
		.slice(0, limit)
		.map((voice) => ({ json: (simplify ? simplifyVoice(voice) : voice) as IDataObject }));
}
