import type { IBinaryData, INodeProperties } from 'n8n-workflow';
import { answerFailure } from '../shared/failure/words';
import { type GatewayFailure, toFailure } from '../shared/failure/failure';
import { storeFile } from '../shared/files/storeFile';
import { type Answer, keptAnswer } from '../shared/answer/answerReaders';
import { STREAM_BYTES } from '../shared/plain/budgets';
import { type ByteStream, streamFrom, withinSize } from '../shared/answer/byteStream';
import { mediaTypeOf } from '../shared/plain/headers';
import { utilityEndpoint } from '../shared/send/endpoints';
import type { Call } from '../shared/run/call';
import { isTool, type OperationFailure, type OperationResult } from '../shared/run/operation';
import type { Paid } from '../shared/run/payments';
import type { UtilityEntry } from './catalogue/utility';
import { ENCODING, type OutputSettings, type QueryPairs, readOutputSettings } from './fields';
import { dayOfContent, otherDay, withDay } from './day';
import { emptyItem, toItems } from './items';
import { type Wanted, wantedOf } from './parameter';
import { readUtility, type UtilityContent } from './readUtility';
import { fileOfText, isDataUri } from '../shared/plain/fileText';
import { asRecord, textOr, withoutGaps } from '../shared/plain/values';

interface UtilityFetch extends Pick<UtilityEntry, 'elsewhere' | 'output' | 'day'> {
	/** The encoded path, below the address of the utilities. */
	path: string;
	query: QueryPairs;
	/** The name of a file, without extension. It is the same for every request to an endpoint. */
	fileName: string;
	parameters: INodeProperties[];
	mayBeWebPage: boolean;
	wanted?: Wanted;
}

type ReceivedContent = (Exclude<UtilityContent, { kind: 'file' }> | { kind: 'file'; file: IBinaryData }) & {
	/** The day that the content is about, if it names one. */
	day?: string;
};

/** Sends a request to a utility endpoint and makes items from the response: fields, text, or a file. */
export async function fetchUtility(
	call: Call,
	fetch: UtilityFetch,
): Promise<Array<OperationResult | OperationFailure>> {
	const { path, query } = fetch;
	const settings = readOutputSettings(call);
	const encoding = query.find(([name]) => name === ENCODING.name)?.[1] ?? '';
	const isImage = encoding.startsWith('image');
	const request = {
		...call.requestOptions,
		endpoint: utilityEndpoint(path),
		query,
		streamed: isImage ? ('image' as const) : undefined,
	};
	try {
		const paid = await call.pay(request, async (answer) => await receive(call, fetch, answer), {
			filesOf: (received) => (received.kind === 'file' ? [received.file] : []),
		});
		const content = isImage ? await withPicture(call, fetch, paid) : paid.value;
		hintAtOtherKind(call, encoding, content);
		const results = toResults(call, fetch, settings, content);
		const other = otherDay(call, content.day, query);
		if (!other) return results;
		await paid.noteUnusable(other);
		return [{ failure: other.with(keptAnswer(results.map(({ json }) => json))), files: results[0]?.files }];
	} catch (error) {
		throw utilityFailure(toFailure(error), fetch, encoding, isTool(call.node));
	}
}

async function receive(call: Call, fetch: UtilityFetch, answer: Answer): Promise<ReceivedContent> {
	const { mayBeWebPage, output, day: path, query } = fetch;
	const received = await readUtility(answer, { mayBeWebPage, hasList: output?.lists !== undefined });
	const day = path && dayOfContent(call, received, { path, query, url: answer.url });
	if (received.kind !== 'file') return withoutGaps({ ...received, day });
	const content = streamFrom(withinSize(received.body as AsyncIterable<Buffer>, STREAM_BYTES.file));
	return withoutGaps({ ...(await stored(call, fetch, content, mediaTypeOf(answer))), day });
}

async function stored(
	call: Call,
	{ fileName }: UtilityFetch,
	content: ByteStream | Buffer,
	mimeType: string,
): Promise<{ kind: 'file'; file: IBinaryData }> {
	const file = await storeFile(call, content, mimeType, { about: fileName, fallback: 'file' });
	return { kind: 'file', file };
}

/** Returns the paid content, or its picture as a file if the response is its address, or JSON with either. */
async function withPicture(
	call: Call,
	fetch: UtilityFetch,
	{ value, keep }: Paid<ReceivedContent>,
): Promise<ReceivedContent> {
	const picture = pictureIn(value.kind === 'text' ? value.text : 'data' in value ? value.data : undefined);
	if (picture === undefined) return value;
	const read = async (answer: Answer) => {
		const content = await receive(call, fetch, answer);
		if (content.kind === 'file') return content;
		const what = content.kind === 'empty' ? 'empty' : `${mediaTypeOf(answer) || 'text'} instead of an image`;
		throw answerFailure(`it is ${what}`);
	};
	if ('address' in picture) {
		const { address } = picture;
		const limits = { ...call.requestOptions, kind: 'image' } as const;
		const download = async () => await call.client.download(address, read, limits);
		const downloaded = await call.keepFile([address, fetch.fileName], download);
		return withoutGaps({ ...downloaded, day: value.day ?? downloaded.day });
	}
	const file = await stored(call, fetch, picture.bytes, picture.mimeType);
	const dated = withoutGaps({ ...file, day: value.day });
	await keep(dated);
	return dated;
}

function toResults(
	call: Call,
	{ output, wanted }: UtilityFetch,
	settings: OutputSettings,
	content: ReceivedContent,
): OperationResult[] {
	const { day } = content;
	switch (content.kind) {
		case 'file': {
			const { fileName, mimeType, bytes } = content.file;
			const json = withDay({ fileName, mimeType, bytes }, day);
			return [{ json, files: { [settings.fileField]: content.file } }];
		}
		case 'empty':
			return [{ json: emptyItem() }];
		case 'text':
			return [{ json: withDay({ text: content.text }, day) }];
		case 'json': {
			const data =
				settings.simplify && wanted
					? wantedOf(content.data, wanted, (note) => call.hint(note))
					: content.data;
			const items = toItems({ ...content, data }, { ...settings, output });
			if (items.length === 0) call.hint('The gateway returned an empty list, so this item has no output');
			return items.map((json) => ({ json: settings.simplify ? withDay(json, day) : json }));
		}
	}
}

function hintAtOtherKind(call: Call, encoding: string, { kind }: ReceivedContent): void {
	if (encoding === '' || kind === 'empty') return;
	const expected = encoding === 'json' ? 'json' : encoding.startsWith('image') ? 'file' : 'text';
	if (kind === expected) return;
	const received = { json: 'JSON', file: 'a file', text: 'text' }[kind];
	call.hint(`The gateway returned ${received} although ${ENCODING.displayName} is "${encoding}"`);
}

const CHINESE = /\p{Script=Han}/u;

/** Returns advice for a value that is not Chinese although the example in the editor is. */
function adviceOnNames({ parameters, query }: UtilityFetch): string {
	const examples = new Map(parameters.map(({ name, placeholder = '' }) => [name, placeholder]));
	const pair = query.find(([name, text]) => CHINESE.test(examples.get(name) ?? '') && !CHINESE.test(text));
	return pair ? `Try the Chinese name of "${pair[1]}". ` : '';
}

/** Names a parameter; one that can be chosen from a list with an example, because its value must be an ID. */
function nameOf({ displayName, modes = [] }: INodeProperties): string {
	const example = modes.find(({ name }) => name === 'id')?.placeholder;
	return example ? `${displayName} (${example})` : displayName;
}

const NEVER_FOUND =
	'If this operation never finds anything, your gateway may have the endpoint at another path (Custom Endpoint) or address (Utilities Base URL in Advanced Settings of the credential).';

/** Statuses of a proxy that requires credentials, and of a request that is too large. */
const HAS_OWN_ADVICE = [407, 413];

/**
 * Words a failure for utilities: it names the parameters, "not found" means a city or a song, and a value that the
 * gateway does not know can cause an internal error. A model that uses the node as a tool can change neither its
 * options nor the credential.
 */
function utilityFailure(
	failure: GatewayFailure,
	fetch: UtilityFetch,
	encoding: string,
	isForTool: boolean,
): GatewayFailure {
	const { kind, facts } = failure;
	const { parameters } = fetch;
	const elsewhere = fetch.elsewhere && !isForTool ? `${fetch.elsewhere} ` : '';
	const { status = 200, gatewayMessage } = facts;
	const mayBeEncoding = kind !== 'notFound' && encoding !== '' && encoding !== 'json';
	const suspects = mayBeEncoding ? [...parameters, ENCODING] : parameters;
	const names = new Intl.ListFormat('en').format(suspects.map(nameOf));
	const check =
		names === ''
			? 'Check Extra Query Parameters in Options, if you use them.'
			: `${adviceOnNames(fetch)}${elsewhere}Check ${names}.`;
	if (status === 414 || status === 431) {
		return failure.saying({
			message: 'The parameters of this item are too long for the gateway',
			advice: 'They are part of the URL of the request. Shorten the text, or split it into several items.',
		});
	}
	if (kind === 'notFound') {
		const words = gatewayMessage ? `: ${gatewayMessage}` : ` (status ${status})`;
		return failure.saying({
			message: `The gateway found nothing${words}`,
			advice: isForTool ? check : `${check} ${NEVER_FOUND}`,
		});
	}
	if (kind === 'gateway') {
		const hint = 'Some utilities fail with this error for a value that they do not know.';
		return failure.advising(`${hint} ${check}`);
	}
	if (kind === 'request' && !HAS_OWN_ADVICE.includes(status)) {
		return failure.saying({ advice: check });
	}
	return failure;
}

type Picture = { bytes: Buffer; mimeType: string } | { address: string };

/**
 * Returns the picture in the data of a gateway that does not send it as an image: Base64 or an address (observed), which
 * may be the whole text (vikiboss/60s, `bing.module.ts`).
 */
export function pictureIn(data: unknown): Picture | undefined {
	const { base64, image, cover } = asRecord(data) ?? {};
	const address = [data, image, cover]
		.map((one) => textOr(one).trim())
		.find((text) => /^https?:\/\/\S+$/i.test(text) || isDataUri(text));
	return fileOfText(textOr(base64)) ?? (address === undefined ? undefined : { address });
}
