import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import type { Call } from '../../shared/run/call';
import { toText } from '../../shared/plain/values';
import type { SampleInput } from '../samples';

const MIN_SAMPLES = 2;
const MAX_SAMPLES = 3;

const SAMPLES_FROM: INodeProperties = {
	displayName: 'Samples From',
	name: 'samplesFrom',
	type: 'options',
	noDataExpression: true,
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
	default: 'fields',
	description: 'Where the recordings of a voice are',
};

const INPUT_DATA_FIELD_NAME: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the input field containing the binary file data to be processed',
	description: 'Name of the binary field that contains the recording, a WAV file of 10 to 60 seconds',
};

const TRANSCRIPT: INodeProperties = {
	displayName: 'Transcript',
	name: 'transcript',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. Good morning, this is how I speak.',
	description: 'Word-for-word text of the recording',
};

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

export const sampleFields: INodeProperties[] = [
	SAMPLES_FROM,
	SAMPLES,
	...[INPUT_DATA_FIELD_NAME, TRANSCRIPT].map((field) => ({
		...field,
		displayOptions: { show: { samplesFrom: ['items'] } },
	})),
];

/**
 * The samples of a voice.
 *
 * @param calls the items of the voice
 * @throws GatewayFailure (kind `input`) if their number is wrong, or one has no field or no transcript
 */
export function readSamples(calls: Call[]): SampleInput[] {
	const [first] = calls;
	const samples = hasSampleItems(first) ? calls.map(sampleOfItem) : samplesOfFields(first);
	requireSamples(samples);
	return samples;
}

/** Whether each item is a sample, rather than a voice. */
export function hasSampleItems(call: Call): boolean {
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
	for (const { label, field, transcript } of samples) {
		if (field === '') {
			throw inputFailure(
				label,
				'has a transcript but names no binary field',
				'Enter the name of the field that contains the recording, or remove the sample.',
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
