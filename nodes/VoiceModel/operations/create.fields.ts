import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { optionFields, SIMPLIFY } from '../../shared/fields/options';
import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import { groupBy } from '../../shared/plain/values';
import type { VoiceRequest } from '../voiceForm';
import { hasSampleItems, readSamples, sampleFields } from './samples.fields';

const NOTICE: INodeProperties = {
	displayName:
		'Create a voice from two or three WAV recordings of at least 10 seconds each. The web console of your gateway offers the same and also accepts MP3 and M4A files.',
	name: 'consoleNotice',
	type: 'notice',
	default: '',
};

const NAME: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. my-narrator',
	description: 'Unique name of the voice. Select it as Voice in Unified AI Speech.',
};

const PUBLIC: INodeProperties = {
	displayName: 'Public',
	name: 'public',
	type: 'boolean',
	default: false,
	description: 'Whether everyone can use the voice',
};

const CONTACT_EMAIL: INodeProperties = {
	displayName: 'Contact Email',
	name: 'contactEmail',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
	description:
		'Address where the operator of the gateway can reach you. Required for a voice that is not public.',
};

const DESCRIPTION: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	placeholder: 'e.g. Calm and warm, for audiobooks',
	description: 'What the voice sounds like. Shown in the voice list.',
};

/** Parameters of VoiceModel → Create. */
export const createFields: INodeProperties[] = [
	NOTICE,
	NAME,
	...sampleFields,
	PUBLIC,
	CONTACT_EMAIL,
	DESCRIPTION,
	SIMPLIFY,
	...optionFields(endpoints.voiceModel, { pays: 'requests' }),
];

/** The items of each voice: every item separately, or all items with the same name. */
export function groupCalls(calls: Call[]): Call[][] {
	return groupBy(calls, (call) =>
		hasSampleItems(call) ? `name ${call.text(NAME).trim()}` : `item ${call.itemIndex}`,
	);
}

/**
 * Reads the parameters of a voice and checks everything that can be checked without its files. All parameters except
 * those of the samples are read from the first item.
 */
export function readVoice(calls: Call[]): VoiceRequest {
	const [first] = calls;
	const isPublic = first.flag(PUBLIC);
	const { voiceCreatePath, voiceFileField, voiceTranscriptField } = first.client.wiring;
	const voice = {
		endpoint: { ...endpoints.voiceModel, path: voiceCreatePath },
		name: first.requiredText(NAME).trim(),
		isPublic,
		contactEmail: first.text(CONTACT_EMAIL).trim(),
		description: first.text(DESCRIPTION).trim(),
		samples: readSamples(calls),
		fieldNames: { file: voiceFileField, transcript: voiceTranscriptField },
	};
	if (!isPublic || voice.contactEmail !== '') requireEmail(voice.contactEmail);
	return { ...voice, extraFields: first.extraBodyFields };
}

function requireEmail(email: string): void {
	if (email === '') {
		throw inputFailure(
			CONTACT_EMAIL,
			'is empty, but a voice that is not public requires it',
			'Enter an address where the operator of the gateway can reach you, or turn on Public.',
		);
	}
	if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
		throw inputFailure(
			CONTACT_EMAIL,
			`is not an email address ("${email.slice(0, 80)}")`,
			'Enter an address such as name@email.com.',
		);
	}
}
