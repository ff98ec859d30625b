import { createHash } from 'crypto';
import type { IBinaryData, IDataObject, INodeProperties } from 'n8n-workflow';
import { ITEMS } from '../../shared/http/budgets';
import { answerFailure } from '../../shared/errors/errorMessages';
import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { OUTPUT_FILE } from '../../shared/fields/options';
import { fileNameFrom, storeFile } from '../../shared/files/storeFile';
import {
	type Answer,
	type AnswerReader,
	parseAnswer,
	readText,
	throwIfError,
} from '../../shared/http/answerReaders';
import { parsedOrProblem } from '../../shared/http/foreignJson';
import { headerValue, mediaTypeOf } from '../../shared/http/headers';
import type { Call } from '../../shared/runtime/call';
import { asRecord } from '../../shared/values';

/** How to read a response. */
export type AnswerFormat = 'automatic' | 'file' | 'json' | 'text';

const RESPONSE_FORMAT: INodeProperties = {
	displayName: 'Response Format',
	name: 'answerFormat',
	type: 'options',
	options: [
		{ name: 'Automatic', value: 'automatic', description: 'The format that the response declares' },
		{ name: 'File', value: 'file', description: 'A file, whatever the response contains' },
		{ name: 'JSON', value: 'json', description: 'JSON. Any other content fails the item.' },
		{ name: 'Text', value: 'text', description: 'Text in the field "text"' },
	],
	default: 'automatic',
	description: 'How to read the response',
};

export const ITEMS_FIELD: INodeProperties = {
	displayName: 'Items Field',
	name: 'itemsField',
	type: 'string',
	default: '',
	displayOptions: { show: { answerFormat: ['automatic', 'json'] } },
	placeholder: 'e.g. data',
	description:
		'Field of a JSON response whose list becomes one item per entry. Use dots for nested fields. Leave empty to output the response unchanged. A response that is itself a list is always split.',
};

/** Parameters for the response to a custom request. */
export const answerFields: INodeProperties[] = [
	RESPONSE_FORMAT,
	{ ...OUTPUT_FILE, displayOptions: { show: { answerFormat: ['automatic', 'file'] } } },
	ITEMS_FIELD,
];

/** How to turn a response into items. */
export interface AnswerSettings {
	format: AnswerFormat;
	/** Dotted path of the list to split; empty for none. */
	itemsField: string;
}

export function readAnswerSettings(call: Call): AnswerSettings {
	return {
		format: call.text(RESPONSE_FORMAT) as AnswerFormat,
		itemsField: call.text(ITEMS_FIELD).trim(),
	};
}

/**
 * The name of the output field for a file.
 *
 * @throws GatewayFailure (kind `input`) when it is empty
 */
export function readOutputField(call: Call): string {
	return call.requiredText(OUTPUT_FILE);
}

/** The content of a response; the digest is that of its text. */
export type CustomAnswer =
	| { kind: 'json'; body: unknown; digest: string }
	| { kind: 'text'; text: string }
	| { kind: 'file'; file: IBinaryData }
	/** A success without content, for example after a DELETE. */
	| { kind: 'empty'; status: number };

/**
 * A reader for the chosen format, or for the format in the headers of the response.
 *
 * @param path a file is named after it
 */
export function answerReader(call: Call, format: AnswerFormat, path: string): AnswerReader<CustomAnswer> {
	return async (answer) => {
		const { status, headers, body } = answer;
		if (status === 204 || status === 205 || headerValue(headers, 'content-length') === '0') {
			body.destroy();
			return { kind: 'empty', status };
		}
		const contentType = mediaTypeOf(answer);
		switch (format === 'automatic' ? formatOf(contentType) : format) {
			case 'json':
				return await jsonOf(answer);
			case 'text': {
				const text = await readText(answer);
				if (format === 'automatic') await throwIfErrorText(text, answer);
				return { kind: 'text', text };
			}
			case 'file': {
				const file = await storeFile(call, body, contentType, (extension) => nameFor(path, extension));
				return { kind: 'file', file };
			}
		}
	};
}

/** Some gateways declare the JSON of an error as text. @throws GatewayFailure for one */
async function throwIfErrorText(text: string, answer: Answer): Promise<void> {
	if (!text.slice(0, 100).trimStart().startsWith('{')) return;
	const parsed = await parsedOrProblem(text);
	if ('value' in parsed) throwIfError(parsed.value, answer, { isAnyData: true });
}

async function jsonOf(answer: Answer): Promise<CustomAnswer> {
	const text = await readText(answer);
	const digest = createHash('sha256').update(text).digest('base64');
	return { kind: 'json', body: await parseAnswer(text, answer, { isAnyData: true }), digest };
}

/** The format for a media type; an empty media type means text. */
export function formatOf(contentType: string): 'file' | 'json' | 'text' {
	if (/[/+]json$/.test(contentType)) return 'json';
	return contentType === '' || contentType.startsWith('text/') || /[/+]xml$/.test(contentType)
		? 'text'
		: 'file';
}

/**
 * The entries that become items: those of the list in `field` or, without a field, of a response that is a list.
 *
 * @returns undefined for a response that becomes one item
 * @throws GatewayFailure (kind `answer`) with the response in its details when the field contains no list
 */
export function entriesOf(body: unknown, field: string): unknown[] | undefined {
	const list = field === '' ? body : valueAt(body, field);
	if (Array.isArray(list) && list.length > ITEMS) {
		throw answerFailure(`its list has more than ${ITEMS} entries, so it cannot become items`);
	}
	if (Array.isArray(list)) return list as unknown[];
	if (field === '') return undefined;
	throw answerFailure(`it has no list in the field "${field}", which is set as ${ITEMS_FIELD.displayName}`, {
		partial: { answer: body as IDataObject },
	});
}

/** The value at a dotted path, or undefined. */
export function valueAt(body: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((value, name) => {
		if (Array.isArray(value)) return /^\d{1,6}$/.test(name) ? (value[Number(name)] as unknown) : undefined;
		const record = asRecord(value);
		return record && Object.hasOwn(record, name) ? record[name] : undefined;
	}, body);
}

function nameFor(path: string, extension: string): string {
	const last = decodeURIComponent(path).split('/').filter(Boolean).at(-1) ?? '';
	const withoutExtension = last.endsWith(`.${extension}`) ? last.slice(0, -extension.length - 1) : last;
	return fileNameFrom(withoutExtension, 'answer', extension);
}

/** A failure in words that fit a path that the user has entered. */
export function pathFailure(failure: GatewayFailure): GatewayFailure {
	const { kind, message, facts } = failure;
	if (kind !== 'notFound' || facts.mayHaveBeenCarriedOut) return failure;
	const advice =
		'Check Path and Method: the path includes the version, for example /v1/models. If they are correct, check Base URL in the credential, which is the address without "/v1".';
	return new GatewayFailure(kind, message, advice, facts);
}
