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

const CREATE_PATH: INodeProperties = {
	displayName: 'Create Path',
	name: 'createPath',
	type: 'options',
	options: [
		{ name: 'Voice Clone', value: 'voiceClone', description: 'POST /v1/voice-clone/create-model' },
		{ name: 'Voice Model', value: 'voiceModel', description: 'POST /v1/voice/model' },
	],
	default: 'voiceModel',
	description: 'Where to create voices. Gateways differ; most have Voice Model.',
};

const FILE_FIELD_NAME: INodeProperties = {
	displayName: 'File Field Name',
	name: 'fileField',
	type: 'string',
	default: 'audio_files',
	placeholder: 'e.g. audio_files[]',
	description: 'Name of the form field for each recording. Gateways differ; most have "audio_files".',
};

const TRANSCRIPT_FIELD_NAME: INodeProperties = {
	displayName: 'Transcript Field Name',
	name: 'transcriptField',
	type: 'string',
	default: 'reference_texts',
	placeholder: 'e.g. reference_texts[]',
	description: 'Name of the form field for each transcript. Gateways differ; most have "reference_texts".',
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
	...optionFields({ timeoutSeconds: endpoints.voiceModel.timeoutSeconds, body: true, pays: 'requests' }, [
		CREATE_PATH,
		FILE_FIELD_NAME,
		TRANSCRIPT_FIELD_NAME,
	]),
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
 *
 * @throws GatewayFailure (kind `input`) for the first parameter that cannot be used
 */
export function readVoice(calls: Call[]): VoiceRequest {
	const [first] = calls;
	const isPublic = first.flag(PUBLIC);
	const { voiceModel, voiceModelAlternative } = endpoints;
	const voice = {
		endpoint: first.options.text(CREATE_PATH) === 'voiceClone' ? voiceModelAlternative : voiceModel,
		name: first.requiredText(NAME).trim(),
		isPublic,
		contactEmail: first.text(CONTACT_EMAIL).trim(),
		description: first.text(DESCRIPTION).trim(),
		samples: readSamples(calls),
		fieldNames: {
			file: first.options.textOrDefault(FILE_FIELD_NAME),
			transcript: first.options.textOrDefault(TRANSCRIPT_FIELD_NAME),
		},
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
