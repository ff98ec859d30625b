import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { fileNameFrom } from '../shared/files/fileName';
import { storeFile } from '../shared/files/storeFile';
import { answerFailure } from '../shared/errors/errorMessages';
import { asRecord } from '../shared/values';
import { readJson, readText, type AnswerReader } from '../shared/http/answerReaders';
import { headerValue, mediaTypeOf } from '../shared/http/headers';
import type { Call } from '../shared/runtime/call';
import { valueAt } from './paging';

/** How an answer is read. */
export type AnswerFormat = 'automatic' | 'file' | 'json' | 'text';

/** What an answer held. */
export type CustomAnswer =
	| { kind: 'json'; body: unknown }
	| { kind: 'text'; text: string }
	| { kind: 'file'; file: IBinaryData }
	/** The gateway did it and says nothing, as after a DELETE. */
	| { kind: 'empty'; status: number };

/**
 * A reader for the format that was chosen, or for the one that the answer's header names.
 *
 * @param path gives a file its name
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
				return { kind: 'json', body: await readJson(answer) };
			case 'text':
				return { kind: 'text', text: await readText(answer) };
			case 'file': {
				const file = await storeFile(call.context, body, contentType, (extension) =>
					nameFor(path, extension),
				);
				return { kind: 'file', file };
			}
		}
	};
}

/** The format that a media type stands for; without one the answer is taken for text. */
export function formatOf(contentType: string): 'file' | 'json' | 'text' {
	if (/[/+]json$/.test(contentType)) return 'json';
	return contentType === '' || contentType.startsWith('text/') || /[/+]xml$/.test(contentType)
		? 'text'
		: 'file';
}

/**
 * The entries that become items: those of the list in `field`, or, without a field, those of an answer that is a list.
 *
 * @returns undefined for an answer that becomes one item as it is
 * @throws GatewayFailure (kind `answer`), with the answer in its details, when the field holds no list
 */
export function entriesOf(body: unknown, field: string): unknown[] | undefined {
	const list = field === '' ? body : valueAt(body, field);
	if (Array.isArray(list)) return list as unknown[];
	if (field === '') return undefined;
	throw answerFailure(`it has no list in the field "${field}", which Items Field names`, {
		partial: { answer: body as IDataObject },
	});
}

/** A JSON value as an item: an object as it is, anything else in a field of its own. */
export function toItem(value: unknown): IDataObject {
	return (asRecord(value) as IDataObject | undefined) ?? ({ value } as IDataObject);
}

function nameFor(path: string, extension: string): string {
	const last = decodeURIComponent(path).split('/').filter(Boolean).at(-1) ?? '';
	const withoutExtension = last.endsWith(`.${extension}`) ? last.slice(0, -extension.length - 1) : last;
	return fileNameFrom(withoutExtension, 'answer', extension);
}
