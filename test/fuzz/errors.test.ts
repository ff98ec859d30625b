import fc from 'fast-check';
import type { GatewayFailure } from '../../nodes/shared/errors/gatewayFailure';
import { GatewayClient } from '../../nodes/shared/send/client';
import { endpoints } from '../../nodes/shared/send/endpoints';
import { FakeClock } from '../unit/fakeClock';
import { FakeContext } from '../unit/shared/fakeContext';
import { KEY, leaksIn, SPELLINGS } from '../unit/shared/secrets/spellings';
import { damaged, damages } from './damage';
import { expectFailure } from './expectations';
import { changed, changes, hostileName, hostileText, hostileValue, toJson } from './hostileValues';
import { holds } from './holds';

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
let gateways = 0;

/** What a request that gets this answer ends with, as it leaves the node. */
async function failureOf(status: number, body: Buffer, isPaid: boolean): Promise<GatewayFailure> {
	// Each gateway has its own pace.
	const baseUrl = `https://gateway.example/${++gateways}`;
	const context = new FakeContext({ respond: () => ({ status, body }), credential: { baseUrl, apiKey: KEY } });
	const clock = new FakeClock();
	const client = await GatewayClient.of(context.execute, { clock });
	const request = isPaid ? { endpoint: endpoints.images, json: {} } : { endpoint: endpoints.models };
	const failure: unknown = await clock.run(client.json({ ...request, maxRetries: 0 })).then(
		() => 'no failure',
		async (error: unknown) => await client.redactor.failure(error),
	);
	expectFailure(failure);
	const item = failure.toErrorItem();
	const leaks = leaksIn(JSON.stringify(item)).concat(leaksIn(textsOf(item)));
	if (leaks.length > 0) throw new Error(`The key is there: ${leaks.join()}`);
	const words = [failure.message, failure.description, failure.facts.gatewayMessage ?? ''];
	if (words.some((text) => TAG.test(text))) throw new Error(`There are tags: ${words.join('\n')}`);
	return failure;
}

describe('The body of an error', () => {
	holds(
		'becomes a failure in words, with a kind and without the key',
		[body, status, fc.boolean()],
		async (bytes, code, isPaid) => {
			const failure = await failureOf(code, bytes, isPaid);
			if (!kindsOf(code).includes(failure.kind)) throw new Error(`${code} is no ${failure.kind}`);
			if (failure.facts.status !== code) throw new Error('The status is lost');
		},
	);

	holds(
		'inside of a successful answer becomes a failure as well',
		[errorObject, message],
		async (error, text) => {
			const inside = { error: { ...error, message: `No. ${text}` } };
			await failureOf(200, Buffer.from(toJson(inside)), false);
		},
	);
});

/** The texts of a value without the escapes of JSON. */
function textsOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null) return '';
	return Object.entries(value).flat().map(textsOf).join('\n');
}
