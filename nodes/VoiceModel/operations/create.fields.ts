import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/failure/words';
import { optionFields, SIMPLIFY } from '../../shared/fields/options';
import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import { toText, withoutGaps } from '../../shared/plain/values';
import type { SampleInput } from '../samples';
import { choiceField, flagField, noticeField, textField } from '../../shared/fields/field';

const MIN_SAMPLES = 2;
const MAX_SAMPLES = 3;

const SAMPLES_FROM = choiceField('Samples From', 'samplesFrom', {
	default: 'fields',
	description: 'Where the recordings of a voice are',
	options: [
		{
			name: 'Binary Fields of Each Item',
			value: 'fields',
			description: 'Each item is a voice, with its samples in binary fields',
		},
		{
			name: 'Several Items',
			value: 'items',
			description: 'Each item is a sample. Items with the same Name become one voice.',
		},
	],
	noDataExpression: true,
});

const INPUT_DATA_FIELD_NAME = textField(
	'Input Data Field Name',
	'binaryPropertyName',
	'Name of the binary field that contains the recording, a WAV file of 10 to 60 seconds',
	{
		required: true,
		default: 'data',
		hint: 'The name of the input field containing the binary file data to be processed',
	},
);

const TRANSCRIPT = textField('Transcript', 'transcript', 'Word-for-word text of the recording', {
	typeOptions: { rows: 2 },
	required: true,
	placeholder: 'e.g. Good morning, this is how I speak.',
});

const SAMPLES: INodeProperties = {
	displayName: 'Samples',
	name: 'samples',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add sample',
	default: {},
	displayOptions: { show: { samplesFrom: ['fields'] } },
	options: [{ displayName: 'Sample', name: 'sample', values: [INPUT_DATA_FIELD_NAME, TRANSCRIPT] }],
	description: 'Two or three recordings with their transcripts',
};

const sampleFields: INodeProperties[] = [
	SAMPLES_FROM,
	SAMPLES,
	...[INPUT_DATA_FIELD_NAME, TRANSCRIPT].map((field) => ({
		...field,
		displayOptions: { show: { samplesFrom: ['items'] } },
	})),
];

/** Tells whether each item is a sample, rather than a voice. */
function hasSampleItems(call: Call): boolean {
	return call.text(SAMPLES_FROM) === 'items';
}

function sampleOfItem(call: Call): SampleInput {
	return {
		label: `The sample of row ${call.itemIndex + 1}`,
		itemIndex: call.itemIndex,
		field: call.text(INPUT_DATA_FIELD_NAME).trim(),
		transcript: call.text(TRANSCRIPT).trim(),
	};
}

function samplesOfFields(call: Call): SampleInput[] {
	return call.entries(SAMPLES).map((entry, index) => ({
		label: `${SAMPLES.displayName} (sample ${index + 1})`,
		itemIndex: call.itemIndex,
		field: toText(entry[INPUT_DATA_FIELD_NAME.name]).trim(),
		transcript: toText(entry[TRANSCRIPT.name]).trim(),
	}));
}

function requireSamples(samples: SampleInput[]): void {
	const count = samples.length;
	if (count < MIN_SAMPLES || count > MAX_SAMPLES) {
		throw inputFailure(
			SAMPLES,
			`has ${count} ${count === 1 ? 'recording' : 'recordings'}, but a voice needs two or three`,
			'Add or remove samples. When Samples From is Several Items, each item is one recording, and all items of a voice have the same Name.',
		);
	}
	for (const [index, { label, field, itemIndex, transcript }] of samples.entries()) {
		const others = samples.slice(0, index).filter((other) => other.itemIndex === itemIndex);
		if (others.some((other) => other.field === field)) {
			throw inputFailure(
				label,
				`is the binary field "${field}" of another sample again`,
				'Enter the field of another recording, or remove the sample.',
			);
		}
		if (transcript === '') {
			throw inputFailure(
				label,
				'has no transcript',
				'Each recording needs its own transcript: enter the text of the recording in Transcript, word for word.',
			);
		}
	}
}

const NOTICE = noticeField(
	'consoleNotice',
	'Create a voice from two or three WAV recordings of at least 10 seconds each. The web console of your gateway offers the same and also accepts MP3 and M4A files.',
);

const NAME = textField('Name', 'name', 'Unique name of the voice. Select it as Voice in Unified AI Speech.', {
	required: true,
	placeholder: 'e.g. my-narrator',
});

const PUBLIC = flagField('Public', 'public', 'Whether everyone can use the voice', { default: false });

const CONTACT_EMAIL = textField(
	'Contact Email',
	'contactEmail',
	'Address where the operator of the gateway can reach you',
	{ placeholder: 'e.g. name@email.com', hint: 'Required unless the voice is public' },
);

const DESCRIPTION = textField(
	'Description',
	'description',
	'What the voice sounds like. Shown in the voice list.',
	{ placeholder: 'e.g. Calm and warm, for audiobooks' },
);

export const createFields: INodeProperties[] = [
	NOTICE,
	NAME,
	...sampleFields,
	PUBLIC,
	CONTACT_EMAIL,
	DESCRIPTION,
	SIMPLIFY,
	...optionFields(endpoints.voiceModel, { pays: 'cost' }),
];

/** Returns a key. Items with the same one become one voice: each item by itself, or all items with the same name. */
export function voiceKeyOf(call: Call): string {
	return hasSampleItems(call) ? `name ${call.text(NAME).trim()}` : `item ${call.itemIndex}`;
}

/**
 * Reads the parameters of a voice and checks everything that can be checked without its files. All parameters except
 * those of the samples are read from the first item.
 */
export function readVoice(calls: Call[]) {
	const [first] = calls;
	const isPublic = first.flag(PUBLIC);
	const { voiceCreatePath, voiceFileField, voiceTranscriptField } = first.client.wiring;
	const name = first.requiredText(NAME).trim();
	const email = first.text(CONTACT_EMAIL).trim();
	const samples = hasSampleItems(first) ? calls.map(sampleOfItem) : samplesOfFields(first);
	requireSamples(samples);
	if (!isPublic || email !== '') requireEmail(email);
	return {
		endpoint: { ...endpoints.voiceModel, path: voiceCreatePath },
		name,
		isPublic,
		samples,
		fileField: voiceFileField,
		texts: withoutGaps({
			name,
			public: String(isPublic),
			description: first.text(DESCRIPTION).trim() || undefined,
			contact_email: email || undefined,
			// In the order of the recordings.
			[voiceTranscriptField]: samples.map(({ transcript }) => transcript),
			...first.extraBodyFields,
		}),
	};
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
