import { Readable } from 'node:stream';
import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import type { FailureFacts } from '../../../nodes/shared/failure/evidence';
import type { FailureKind } from '../../../nodes/shared/failure/kinds';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { PaidResults } from '../../../nodes/shared/run/paidResults';
import { Payments, usable } from '../../../nodes/shared/run/payments';
import { Capacity } from '../../../nodes/shared/run/pool';
import { Learned } from '../../../nodes/shared/send/client';
import { inputFile } from '../../../nodes/shared/files/sentFiles';
import type { GatewayRequest } from '../../../nodes/shared/send/layer';
import type { Answer, AnswerReader } from '../../../nodes/shared/answer/answerReaders';
import { answerFailure } from '../../../nodes/shared/failure/words';
import { ofStatus } from './ofStatus';
import { FakeClock } from '../fakeClock';
import { ask, KEY, PaidGateway, type PaidRequest } from './paidGateway';
import { sendTexts, type TextJob } from '../../../nodes/batches/paidTexts';
import type * as requestBody from '../../../nodes/shared/send/requestBody';
import { EmbeddedFile, type RequestBody } from '../../../nodes/shared/send/requestBody';
import { multipartBody } from '../../../nodes/VoiceModel/voiceForm';

const failure = (kind: FailureKind, facts: FailureFacts = {}) => new GatewayFailure(kind, kind, 'Do.', facts);
const unclear = () => failure('gateway', { status: 504 }).judged({ charge: 'possible', again: 'ifFree' });

const prompt = { json: { prompt: 'Hello' } };

let gateway: PaidGateway;
beforeEach(() => {
	gateway = new PaidGateway();
});

describe('A paid request', () => {
	it('is not sent again when the run is repeated', async () => {
		const first = gateway.payments();
		expect(await ask(first)).toMatchObject({ value: 'answer 1', isReused: false });
		const second = gateway.payments('2');
		expect(await ask(second)).toMatchObject({ value: 'answer 1', isReused: true });
		expect(gateway.sent).toHaveLength(1);
		expect([[...first.paidItems], [...second.paidItems]]).toEqual([[0], []]);
		expect([[...first.reusedItems], [...second.reusedItems]]).toEqual([[], [0]]);
		expect([[...first.keptItems], [...second.keptItems]]).toEqual([[0], [0]]);
		second.leftOut.add(0);
		expect([...second.keptItems]).toEqual([]);
	});

	it('is sent by a tool that n8n calls outside of an execution', async () => {
		const settings = { results: new PaidResults(), executionId: undefined, hasFile: async () => true };
		expect(await ask(new Payments(gateway.client, settings))).toMatchObject({ value: 'answer 1' });
	});

	it.each<[string, PaidRequest, { items?: number[]; base?: string }?]>([
		['another item', prompt, { items: [1] }],
		['another body', { json: { prompt: 'Hello!' } }],
		['another endpoint', { ...prompt, endpoint: endpoints.messages }],
		['another query', { ...prompt, query: { alt: 'sse' } }],
		['another gateway', prompt, { base: 'https://other.example' }],
	])('is sent for %s', async (_what, request, { items, base = gateway.base } = {}) => {
		await ask(gateway.payments());
		gateway.base = base;
		expect(await ask(gateway.payments(), items, request)).toMatchObject({ isReused: false });
	});

	it('does not depend on retries and time limits', async () => {
		await ask(gateway.payments(), [0], { ...prompt, timeoutSeconds: 10, maxRetries: 1 });
		const again = await ask(gateway.payments(), [0], { ...prompt, timeoutSeconds: 20, repeatsUnclear: true });
		expect(again.isReused).toBe(true);
	});

	it('is sent as often as an item of one run repeats it', async () => {
		const values = async () => {
			const payments = gateway.payments();
			return [(await ask(payments)).value, (await ask(payments)).value, (await ask(payments)).value];
		};
		expect(await values()).toEqual(['answer 1', 'answer 2', 'answer 3']);
		expect(await values()).toEqual(['answer 1', 'answer 2', 'answer 3']);
		expect(gateway.sent).toHaveLength(3);
	});

	it('is sent although another item has failed if its own item has paid for something', async () => {
		const { signal } = new AbortController();
		const payments = gateway.payments('1', false, signal);
		for (const items of [[0], [0, 1], [2]]) await ask(payments, items);
		expect(gateway.sent.map(({ stop }) => stop)).toEqual([signal, undefined, signal]);
		expect([...payments.paidItems]).toEqual([0, 1, 2]);
	});

	it('is saved without the key, whether it succeeds or fails', async () => {
		const { keep } = await ask(gateway.payments());
		await keep({ text: `The key is ${KEY}.` });
		gateway.failures = [unclear().with({ gatewayMessage: `No ${KEY}` })];
		await ask(gateway.payments(), [1]).catch(() => {});
		const saved = JSON.stringify(gateway.context);
		expect(saved).toContain('The key is sk-[API key 0].');
		expect(saved).toContain('No [API key]');
		expect(saved).not.toContain(KEY);
	});

	it('is kept as what its caller makes of it', async () => {
		await (await ask(gateway.payments())).keep('shorter');
		expect(await ask(gateway.payments())).toMatchObject({ value: 'shorter', isReused: true });
	});

	it('is sent again in another execution, but not in the same, when its result turns out to be unusable', async () => {
		const request = { ...prompt, repeatsUnclear: true };
		const paid = await ask(gateway.payments('1'), [0], request);
		const reading = usable(paid, () => Promise.reject(answerFailure('no text')));
		await expect(reading).rejects.toMatchObject({ name: 'GatewayFailure', charge: 'certain' });
		await expect(ask(gateway.payments('1'), [0], request)).rejects.toThrow('no text');
		const usual = await ask(gateway.payments('2'));
		expect(usual.value).toBe('answer 2');
		// Of a fault of ours, the result is not the cause.
		await expect(usable(usual, () => Promise.reject(new Error('fault')))).rejects.toThrow();
		expect((await ask(gateway.payments('2'))).isReused).toBe(true);
	});

	it('is sent again in the same execution, too, when its result is forgotten', async () => {
		(await ask(gateway.payments('1'))).forget();
		expect((await ask(gateway.payments('1'))).value).toBe('answer 2');
	});

	it('is sent again, and its item named, when n8n has deleted a file of its result', async () => {
		const filesOf = (id: string) => [{ id: 'another' }, { id }] as IBinaryData[];
		await ask(gateway.payments(), [2], undefined, { filesOf });
		gateway.deletedFiles.add('answer 1');
		const payments = gateway.payments();
		expect(await ask(payments, [2], undefined, { filesOf })).toMatchObject({ value: 'answer 2' });
		expect([[...payments.lostItems], [...payments.reusedItems]]).toEqual([[2], []]);
	});

	it('is sent again when the caller keeps the parts of its result, or when the user wants everything anew', async () => {
		await ask(gateway.payments(), [0], undefined, { keeps: false });
		expect((await ask(gateway.payments())).isReused).toBe(false);
		expect((await ask(gateway.payments('1', true))).isReused).toBe(false);
		expect((await ask(gateway.payments('1', true))).isReused).toBe(false);
	});
});

describe('Requests of several items', () => {
	const other = { ...prompt, json: { model: 'm', prompt: 'another' } };

	it.each<[string, Array<[items: number[], request?: PaidRequest]>, boolean]>([
		['one by one', [[[0]], [[1]]], true],
		['several times', [[[0]], [[1]], [[0]]], true],
		['beside another request', [[[0]], [[1]], [[1], other]], false],
		['together', [[[0, 1]]], false],
		['of which one does not ask', [[[0]]], false],
		['that ask for nothing', [], false],
	])('are alike if each item has sent the same, and nothing else: %s', async (_what, sent, expected) => {
		const payments = gateway.payments();
		for (const [items, request] of sent) await ask(payments, items, request);
		payments.nextSlot([0], 'a download');
		expect(payments.areAlike(2)).toBe(expected);
	});
});

describe('Where a result is kept', () => {
	it('is a short key, with the item, which says nothing of the request', () => {
		const payments = gateway.payments();
		const identity = 'a secret prompt';
		const [first, second] = [payments.nextSlot([3], identity), payments.nextSlot([3], identity)];
		expect(first).toMatchObject({ items: [3], key: expect.stringMatching(/^3\/[\w-]{22}$/) });
		expect(second.key).toBe(`${first.key}/1`);
		expect(payments.nextSlot([3, 4], identity).key).toMatch(/^[\w-]{22}$/);
	});
});

type Try = [executionId: string, failure?: GatewayFailure, request?: PaidRequest];

/** What tries end with: an answer, or the kind of a failure. The failure of a try is that of the gateway. */
async function endsOf(...tries: Try[]): Promise<string[]> {
	const ends: string[] = [];
	for (const [executionId, failure, request] of tries) {
		gateway.failures = failure ? [failure] : [];
		const end = ask(gateway.payments(executionId), [0], request);
		ends.push(
			await end.then(
				({ value }) => value,
				({ kind }: GatewayFailure) => kind,
			),
		);
	}
	return ends;
}

describe('A request whose outcome is unclear', () => {
	it('is not sent again in the same execution, and fails with the same words', async () => {
		expect(await endsOf(['1', unclear()])).toEqual(['gateway']);
		gateway.context = JSON.parse(JSON.stringify(gateway.context)) as IDataObject;
		const again = await ask(gateway.payments('1')).catch((error: unknown) => error);
		expect(again).toBeInstanceOf(GatewayFailure);
		expect(again).toEqual(unclear());
		// Not even if the user wants everything anew.
		await expect(ask(gateway.payments('1', true))).rejects.toMatchObject({ kind: 'gateway' });
		expect(gateway.sent).toHaveLength(1);
	});

	const repeated = { ...prompt, repeatsUnclear: true };
	const page = failure('address', { status: 200 }).judged({ charge: 'possible' });

	it.each<[string, Try[], string[]]>([
		['is sent again in another execution', [['1', unclear()], ['2']], ['gateway', 'answer 2']],
		[
			'is sent again if the user wants that',
			[
				['1', unclear(), repeated],
				['1', undefined, repeated],
			],
			['gateway', 'answer 2'],
		],
		['may be one with a web page for an answer', [['1', page], ['1']], ['address', 'address']],
		['is none with a redirect', [['1', failure('address', { status: 302 })], ['1']], ['address', 'answer 2']],
		[
			'is none with a rejection',
			[['1', failure('request', { status: 200 })], ['1']],
			['request', 'answer 2'],
		],
	])('%s', async (_what, tries, ends) => {
		expect(await endsOf(...tries)).toEqual(ends);
	});

	it('may be charged for whatever becomes of its repetition in the same execution', async () => {
		for (const [executionId, isFree] of [
			['1', false],
			['2', true],
		] as const) {
			gateway = new PaidGateway();
			await endsOf(['1', unclear(), repeated]);
			gateway.failures = [failure('request', { status: 400 })];
			const again = ask(gateway.payments(executionId), [0], repeated);
			await expect(again).rejects.toMatchObject({ kind: 'request', isFree });
		}
	});

	it('is not repeated either when its answer could not be read, even with a key', async () => {
		gateway.usesIdempotencyKeys = true;
		for (const request of [prompt, { json: 1, endpoint: endpoints.musicSubmit }]) {
			const tries: Try[] = [
				['1', failure('answer'), request],
				['1', undefined, request],
				['2', undefined, request],
			];
			expect(await endsOf(...tries)).toMatchObject(['answer', 'answer', expect.stringMatching(/^answer \d/)]);
		}
		const [chat, chatAgain, submit, submitAgain] = gateway.keys;
		expect(gateway.sent).toHaveLength(4);
		// A gateway answers the same to the same key, so only what must not exist twice keeps its key.
		expect(chatAgain).not.toBe(chat);
		expect(submitAgain).toBe(submit);
	});
});

describe('The idempotency key of a request', () => {
	it.each<[string, boolean, GatewayFailure]>([
		['the same one after a rate limit', true, failure('rateLimit', { status: 429 })],
		['the same one after a gateway that is down', true, failure('gateway', { status: 503 })],
		['the same one after a lost network', true, failure('unreachable')],
		['the same one after a key that is not valid', true, failure('authentication', { status: 401 })],
		['the same one after an empty account', true, failure('permission', { status: 402 })],
		['the same one after a stop', true, failure('cancelled')],
		['a new one after a rejection', false, failure('request')],
		['a new one after a model that does not exist', false, failure('notFound')],
		['a new one after a wrong input', false, failure('input')],
	])('is, when an unclear outcome was before, %s', async (_what, isSame, between) => {
		gateway.usesIdempotencyKeys = true;
		const ends = await endsOf(['1', unclear()], ['2', between], ['1']);
		expect(ends).toEqual(['gateway', between.kind, 'answer 3']);
		expect(gateway.keys[2] === gateway.keys[0]).toBe(isSame);
	});

	it('lets Retry On Fail repeat an unclear outcome, with the same one', async () => {
		gateway.usesIdempotencyKeys = true;
		expect(await endsOf(['1', unclear()], ['1'])).toEqual(['gateway', 'answer 2']);
		expect(gateway.keys[1]).toBe(gateway.keys[0]);
	});

	it.each([true, false])(
		'is kept after a request that was not answered, if there is one: %s',
		async (uses) => {
			gateway.usesIdempotencyKeys = uses;
			await endsOf(['1', failure('rateLimit', { status: 429 })]);
			const [{ idempotencyKey }] = gateway.sent;
			expect(idempotencyKey !== undefined).toBe(uses);
			const { records } = gateway.context.paidResults as { records: object };
			expect(Object.values(records)).toEqual(uses ? [{ idempotencyKey }] : []);
			await endsOf(['1']);
			expect(gateway.keys[1]).toBe(idempotencyKey);
		},
	);
});

/** Sends texts in a new try; their results are their lengths. */
async function sent(
	some: string[],
	{ rest = {}, stops = false, learned = new Learned(new FakeClock()), ...more }: TextSettings = {},
) {
	const { client } = gateway;
	const requests: GatewayRequest[] = [];
	/** How many texts were asked about at once. */
	const asks: number[] = [];
	const send = async (request: GatewayRequest, read: AnswerReader<unknown>) => {
		requests.push(request);
		const answer: Partial<Answer> = {
			headers: { 'x-request-id': 'r' },
			used: (usage) => client.ledger.used(usage),
			cost: 0.25,
		};
		return await read(answer as Answer);
	};
	Object.assign(client, { learned, send });
	const results = new PaidResults(gateway.context, { runIndex: 0 });
	const payments = new Payments(client, { results, executionId: '1', hasFile: async () => true });
	const progress = { ended: jest.fn() };
	const pool = { capacity: new Capacity(() => 1), stopsAt: stops ? () => true : undefined };
	const outcomes = await sendTexts<{ length: number }, number>(
		{ client, payments, progress, pool, itemIndex: 0 } as never,
		{
			model: 'small',
			request: { model: 'small' },
			endpoint: endpoints.embeddings,
			batchSize: 10,
			texts: some,
			items: [...some.keys()],
			isOneItem: false,
			options: { maxRetries: 7 },
			ask: async (asked, sendThem) => {
				asks.push(asked.length);
				if (asked.includes('lost')) throw unclear().with({ partial: { answer: 'half of it' } });
				if (asked.includes('no')) throw ofStatus({ status: 400 });
				if (asked.includes('bad')) throw failure('authentication', { status: 401 });
				if (asked.length > 3) throw ofStatus({ status: 400, gatewayMessage: 'The maximum batch size is 3' });
				return await sendThem({ input: asked });
			},
			read: async (answer, asked) => {
				answer.used?.({ inputTokens: asked.length });
				return {
					outcomes: asked.map((text) =>
						text === 'odd' ? { failure: failure('request') } : { value: { length: text.length } },
					),
					facts: { inputTokens: asked.length },
					rest,
					first: 1,
				};
			},
			toStored: ({ length }) => length,
			fromStored: (length) => ({ length, request: { texts: 1 }, rest: {} }),
			...more,
		},
	);
	const inputs = requests.map(({ json }) => (json as { input: string[] }).input);
	return {
		outcomes,
		requests,
		inputs,
		ended: progress.ended.mock.calls,
		payments,
		ledger: client.ledger,
		asks,
	};
}
interface TextSettings extends Partial<TextJob<{ length: number }, number>> {
	rest?: Record<string, unknown>;
	/** Whether a failure stops the run. */
	stops?: boolean;
	learned?: Learned;
}

describe('Texts that share requests', () => {
	it('belong to all items with this text, and share what is known of their request', async () => {
		const first = await sent(['a', 'bb', 'a', 'odd'], { rest: { id: 'r' } });
		const request = { inputTokens: 3, texts: 3, cost: 0.25 };
		const [one, two] = [1, 2].map((length) => ({ value: { length, request, rest: { id: 'r' } } }));
		expect(first.outcomes).toEqual([one, two, one, { failure: failure('request', { requestId: 'r' }) }]);
		expect(first.requests).toMatchObject([
			{ json: { input: ['a', 'bb', 'odd'] }, endpoint: endpoints.embeddings, maxRetries: 7 },
		]);
		const ended = [[[0, 2, 1, 3]], [[3], [{ failure: expect.any(GatewayFailure) }]]];
		expect([first.ended, first.ledger.tokens.input]).toEqual([ended, 3]);
	});

	it('are sent once in all tries of a run', async () => {
		await sent(['a', 'bb', 'a']);
		expect(Object.keys((gateway.context.paidResults as { records: object }).records)).toHaveLength(2);
		const again = await sent(['a', 'bb', 'a', 'c']);
		expect([again.inputs, [...again.payments.reusedItems]]).toEqual([[['c']], [0, 2, 1]]);
		expect(again.outcomes).toMatchObject([1, 2, 1, 1].map((length) => ({ value: { length } })));
		expect((await sent(['a'], { request: { model: 'large' } })).inputs).toEqual([['a']]);
		expect((await sent(['a'], { fromStored: () => undefined })).inputs).toEqual([['a']]);
		// What is known leaves its request without filling it up.
		expect((await sent(['d', 'a', 'bb', 'c', 'e'], { batchSize: 2 })).inputs).toEqual([['d'], ['e']]);
		await sent(['lost']);
		expect(JSON.stringify(gateway.context)).not.toContain('half of it');
		const { asks, outcomes } = await sent(['lost']);
		expect([asks, outcomes]).toMatchObject([[], [{ failure: { kind: 'gateway' } }]]);
		expect((await sent(['lost'], { options: { repeatsUnclear: true } })).asks).toEqual([1]);
		gateway.base = 'https://other.example';
		expect((await sent(['a'])).inputs).toEqual([['a']]);
	});

	it('are divided until only those fail that the gateway rejects, after a text that belongs to no item', async () => {
		const { outcomes, inputs, ended } = await sent(['no', 'a']);
		expect(outcomes).toMatchObject([{ failure: { kind: 'request' } }, { value: { length: 1 } }]);
		expect([inputs, ended]).toEqual([
			[['text'], ['a']],
			[[[]], [[0], [{ failure: expect.any(GatewayFailure) }]], [[1]]],
		]);
	});

	it('of one item are not shared with other items', async () => {
		const one = { isOneItem: true, items: [0, 0] };
		const { inputs, ended } = await sent(['a', 'b'], { ...one, batchSize: 1 });
		// The item has not ended with its first request.
		expect([inputs, ended]).toEqual([[['a'], ['b']], []]);
		expect((await sent(['a'], { isOneItem: true, items: [1] })).inputs).toEqual([['a']]);
		expect((await sent(['a', 'b'], one)).inputs).toEqual([]);
	});

	it('repeat a long rest of their answer only once', async () => {
		const rest = { log: 'x'.repeat(20_000) };
		const values = (await sent(['a', 'b', 'c'], { rest })).outcomes.map(
			(one) => (one as { value: { rest: object } }).value,
		);
		expect(values.map((value) => value.rest)).toEqual([{}, rest, {}]);
	});

	it('are as many in a request as the gateway has shown to take', async () => {
		const learned = new Learned(new FakeClock());
		expect((await sent(['a', 'b', 'c', 'd'], { learned })).asks).toEqual([4, 3, 1]);
		expect((await sent(['e', 'f', 'g', 'h'], { learned })).asks).toEqual([3, 1]);
		expect((await sent(['k', 'l', 'm', 'n'], { learned, model: 'large' })).asks).toEqual([4, 3, 1]);
		expect((await sent(['i', 'j'], { learned, batchSize: 1 })).inputs).toEqual([['i'], ['j']]);
	});

	it.each<[boolean, string[][]]>([
		[true, [['text'], ['a']]],
		[false, []],
	])('are divided after an unclear failure if it may be repeated: %j', async (repeatsUnclear, inputs) => {
		const ask: TextSettings['ask'] = async (asked, sendThem) => {
			if (asked.includes('no')) throw ofStatus({ status: 500 }, {}, { hasErrorObject: false });
			return await sendThem({ input: asked });
		};
		expect((await sent(['no', 'a'], { ask, options: { repeatsUnclear } })).inputs).toEqual(inputs);
	});

	it.each<[TextSettings, number]>([
		[{}, 1],
		[{ isOneItem: true }, 0],
		[{ stops: true }, 0],
	])('are not sent after a failure that stops their item or the run: %j', async (settings, requests) => {
		expect((await sent(['bad', 'a'], { ...settings, batchSize: 1 })).requests).toHaveLength(requests);
	});
});

describe('A request with files', () => {
	const file = (identity: string) => ({ size: 3, identity, open: async () => Buffer.from('abc') });
	const image = (identity: string) => ({ json: { images: [new EmbeddedFile(file(identity))] } });
	const form = (identity: string) => ({
		body: multipartBody([
			{ field: 'name', text: 'Ann' },
			{ field: 'audio_files', fileName: 'a.wav', contentType: 'audio/wav', source: file(identity) },
		]),
	});

	it.each([
		['in JSON', image],
		['in a form', form],
	])('%s is the same with the same file, and another one with another file', async (_where, request) => {
		await ask(gateway.payments(), [0], request('id-1'));
		expect((await ask(gateway.payments(), [0], request('id-1'))).isReused).toBe(true);
		expect((await ask(gateway.payments(), [0], request('id-2'))).isReused).toBe(false);
	});

	it('is the same after n8n was restarted, although placeholders differ then', async () => {
		await ask(gateway.payments(), [0], image('id-1'));
		let again: RequestBody | undefined;
		jest.isolateModules(() => {
			const fresh = jest.requireActual<typeof requestBody>('../../../nodes/shared/send/requestBody');
			again = fresh.jsonBody({ images: [new fresh.EmbeddedFile(file('id-1'))] });
		});
		expect((await ask(gateway.payments(), [0], { body: again })).isReused).toBe(true);
	});

	it('is the same after n8n has moved its file', async () => {
		const identityIn = async (folder: string) => {
			const helpers = {
				assertBinaryData: () => ({ id: `filesystem-v2:${folder}/file-1` }),
				getBinaryMetadata: async () => ({ fileSize: 3 }),
				getBinaryStream: async () => Readable.from([Buffer.from('abc')]),
			};
			const { identity } = await inputFile({ helpers } as never, 0, 'data', 'File');
			return identity;
		};
		expect(await identityIn('executions/temp')).toBe(await identityIn('executions/7'));
	});

	it('is another one with the same files in another order', async () => {
		const pair = (...ids: string[]) => ({ json: ids.map((id) => new EmbeddedFile(file(id))) });
		await ask(gateway.payments(), [0], pair('id-1', 'id-2'));
		expect((await ask(gateway.payments(), [0], pair('id-2', 'id-1'))).isReused).toBe(false);
	});

	it('has no boundary, file name or text in what is kept', async () => {
		await ask(gateway.payments(), [0], form('id-1'));
		await ask(gateway.payments(), [0], { json: { prompt: 'a secret prompt' } });
		expect(JSON.stringify(gateway.context)).not.toMatch(/secret|id-1|boundary/);
	});
});
