import fc from 'fast-check';
import { endpoints } from '../../nodes/shared/send/endpoints';
import { KEY, leaksIn, SPELLINGS } from '../unit/shared/secrets/spellings';
import { damaged, damages } from './damage';
import { expectFailure } from './expectations';
import { clientFor } from './gateway';
import { changed, changes, hostileName, hostileText, hostileValue, toJson } from './hostileValues';
import { property, type Property } from './property';

const spelled = fc.constantFrom(...Object.values(SPELLINGS)).map((spell) => spell(KEY));
const MARKUP = ['<b>', '</b>', '<a href="x">', '<br/>', '<!-- -->', '<', '>', '<<b i>', '&lt;', '\r\n\t'];
const message = fc
	.array(fc.oneof(hostileText, spelled, fc.constantFrom(...MARKUP, 'request id: ', 'Not found. ')), {
		maxLength: 6,
	})
	.map((parts) => parts.join(' '));

const errorObject = fc.record(
	{
		message,
		type: fc.oneof(message, hostileValue),
		code: fc.oneof(message, hostileValue),
		param: hostileValue,
	},
	{ requiredKeys: [] },
);
const json = fc.oneof(
	fc.record({ error: errorObject }),
	fc.record({ error: message }),
	fc.record({ message, code: hostileValue }),
	fc.tuple(hostileName, message).map(([name, text]) => ({ [name]: text })),
	hostileValue,
);
const body: fc.Arbitrary<Buffer> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.tuple(json, changes).map(([one, all]) => Buffer.from(toJson(changed(one, all)))),
	},
	{
		weight: 1,
		arbitrary: fc.tuple(json, damages).map(([one, all]) => damaged(Buffer.from(toJson(one)), all)),
	},
	{ weight: 1, arbitrary: message.map((text) => Buffer.from(text)) },
	{ weight: 1, arbitrary: message.map((text) => Buffer.from(`<!doctype html><html><p>${text}</p></html>`)) },
	{ weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
);
const status = fc.oneof(
	fc.constantFrom(400, 401, 402, 403, 404, 405, 408, 409, 413, 422, 429, 500, 501, 502, 503, 504, 529),
	fc.integer({ min: 300, max: 599 }),
);

/** The kinds of failure that a status may have; a web page may also be at the wrong address. */
function kindsOf(code: number): string[] {
	if (code === 401) return ['authentication'];
	if (code === 429) return ['rateLimit'];
	if (code >= 500) return ['gateway'];
	if (code === 402 || code === 403) return ['permission', 'address'];
	if (code === 404 || code === 405) return ['notFound', 'address'];
	return code < 400 ? ['address'] : ['request', 'address'];
}

const TAG = /<[a-z/!][^<>]*>/i;

export const errorProperties: Property[] = [
	property(
		'becomes a failure in words, with a kind and without the key',
		[body, status, fc.boolean()],
		async (bytes, code, isPaid) => {
			const { send } = await clientFor([{ status: code, body: bytes }]);
			const failure: unknown = await send(isPaid ? { endpoint: endpoints.images, json: {} } : {}).then(
				() => 'no failure',
				(error: unknown) => error,
			);
			expectFailure(failure);
			if (!kindsOf(code).includes(failure.kind)) throw new Error(`${code} is no ${failure.kind}`);
			if (failure.facts.status !== code) throw new Error('The status is lost');
			const item = failure.toErrorItem();
			const leaks = leaksIn(JSON.stringify(item)).concat(leaksIn(textsOf(item)));
			if (leaks.length > 0) throw new Error(`The key is there: ${leaks.join()}`);
			const words = [failure.message, failure.description, failure.facts.gatewayMessage ?? ''];
			if (words.some((text) => TAG.test(text))) throw new Error(`There are tags: ${words.join('\n')}`);
		},
		3,
	),
	property(
		'inside of a successful answer becomes a failure as well',
		[errorObject, message],
		async (error, text) => {
			const { send } = await clientFor([
				{ status: 200, body: Buffer.from(toJson({ error: { ...error, message: `No. ${text}` } })) },
			]);
			const failure: unknown = await send().then(
				() => 'no failure',
				(thrown: unknown) => thrown,
			);
			expectFailure(failure);
			if (leaksIn(textsOf(failure.toErrorItem())).length > 0) throw new Error('The key is there');
			if ([failure.message, failure.description].some((words) => TAG.test(words)))
				throw new Error(`There are tags: ${failure.message}`);
		},
	),
];

/** The texts of a value without the escapes of JSON. */
function textsOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null) return '';
	return Object.entries(value).flat().map(textsOf).join('\n');
}
