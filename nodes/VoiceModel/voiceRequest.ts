import type { IDataObject } from 'n8n-workflow';
import { inputFailure } from '../shared/errors/errorMessages';
import type { Call } from '../shared/runtime/call';

/** A recording as the parameters name it. */
export interface SampleInput {
	/** What the editor calls the parameter, with the sample it is. */
	label: string;
	itemIndex: number;
	/** Name of the binary field. */
	field: string;
	transcript: string;
}

/** A voice as the parameters describe it (interface, 4.7). */
export interface VoiceRequest {
	name: string;
	isPublic: boolean;
	/** Undefined for a public voice. */
	contactEmail: string | undefined;
	description: string;
	samples: SampleInput[];
}

const FEWEST_SAMPLES = 2;
const MOST_SAMPLES = 3;

/** The items that make one voice each: every item by itself, or those that share a name. */
export function groupCalls(calls: Call[]): Call[][] {
	const groups = new Map<string, Call[]>();
	for (const call of calls) {
		const key = isGrouped(call) ? `name ${call.text('name').trim()}` : `item ${call.itemIndex}`;
		groups.set(key, [...(groups.get(key) ?? []), call]);
	}
	return [...groups.values()];
}

/** Reads the parameters of a voice; what is not a sample counts from its first item. */
export function readVoice(calls: Call[]): VoiceRequest {
	const [first] = calls;
	const isPublic = first.flag('public');
	return {
		name: first.requiredText('name', 'Name').trim(),
		isPublic,
		contactEmail: isPublic ? undefined : first.text('contactEmail').trim(),
		description: first.text('description').trim(),
		samples: isGrouped(first) ? calls.map(sampleOfItem) : samplesOfFields(first),
	};
}

/**
 * Everything about a voice that can be checked without its files.
 *
 * @throws GatewayFailure (kind `input`) that names the parameter
 */
export function checkVoice({ samples, isPublic, contactEmail }: VoiceRequest): void {
	const count = samples.length;
	if (count < FEWEST_SAMPLES || count > MOST_SAMPLES) {
		throw inputFailure(
			'Samples',
			`has ${count} ${count === 1 ? 'recording' : 'recordings'}, and a voice is made of two or three`,
			'Add or remove samples. With Samples From set to Several Items, each item is one recording, and the items of a voice have the same Name.',
		);
	}
	for (const { label, field, transcript } of samples) {
		if (field === '') {
			throw inputFailure(
				label,
				'has a transcript but names no binary field',
				'Enter the name of the field that holds the recording, or remove the sample.',
			);
		}
		if (transcript === '') {
			throw inputFailure(
				label,
				'has no transcript',
				'Each recording needs its own transcript: enter in Transcript what is said in it, word for word.',
			);
		}
	}
	if (!isPublic) checkEmail(contactEmail ?? '');
}

function checkEmail(email: string): void {
	if (email === '') {
		throw inputFailure(
			'Contact Email',
			'is empty, and a voice that is not public needs one',
			'Enter an address at which the operator of the gateway can reach you, or switch Public on.',
		);
	}
	if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
		throw inputFailure(
			'Contact Email',
			`is not an e-mail address ("${email.slice(0, 80)}")`,
			'Enter an address such as name@email.com.',
		);
	}
}

function isGrouped(call: Call): boolean {
	return call.text('samplesFrom') === 'items';
}

function sampleOfItem(call: Call): SampleInput {
	return {
		label: `The sample of item ${call.itemIndex}`,
		itemIndex: call.itemIndex,
		field: call.text('binaryPropertyName').trim(),
		transcript: call.text('transcript').trim(),
	};
}

function samplesOfFields({ context, itemIndex }: Call): SampleInput[] {
	const entries = context.getNodeParameter('samples.sample', itemIndex, []) as IDataObject[];
	return entries.map(({ binaryPropertyName, transcript }, index) => ({
		label: `Samples (sample ${index + 1})`,
		itemIndex,
		field: textOf(binaryPropertyName),
		transcript: textOf(transcript),
	}));
}

function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
