import type { AxiosResponse } from 'axios';
import type { Rule } from '../../../emulator';
import { chatBody, speechBody, useGateway } from './gateway';

const HEADER = 'Idempotency-Key';
const gateway = useGateway({ idempotencyHeader: HEADER });

type Config = Parameters<typeof gateway.post>[2];
const withKey = (key: string, more: Config = {}): Config => ({ ...more, headers: { [HEADER]: key } });
const chat = async (key: string, text = 'Hello', more: object = {}): Promise<AxiosResponse> =>
	await gateway.post('/v1/chat/completions', chatBody(text, more), withKey(key));
const carriedOut = () => gateway.emulator.journal.count((entry) => entry.carriedOut);
/** The request limits and the header of the initial rules stay in force. */
const withFaults = (...faults: NonNullable<Rule['faults']>) =>
	gateway.emulator.behaviour.set('/v1/*', { faults });

describe('A repeated idempotency key', () => {
	it('gets the first answer without being carried out again', async () => {
		const first = await chat('a');
		const again = await chat('a');
		expect([again.status, again.data]).toEqual([200, first.data]);
		expect(again.headers['content-type']).toBe(first.headers['content-type']);
		const entries = gateway.emulator.journal.entries();
		expect(entries.map(({ replayOf }) => replayOf)).toEqual([null, entries[0].id]);
		expect(entries.map((entry) => entry.carriedOut)).toEqual([true, false]);
		expect(entries[1].headers['idempotency-key']).toBe('a');
	});

	it('is refused for a different request', async () => {
		await chat('e');
		const other = await chat('e', 'Something else');
		expect(other.status).toBe(422);
		expect(other.data.error).toMatchObject({
			type: 'invalid_request_error',
			code: 'idempotency_key_reused',
		});
		const elsewhere = await gateway.post('/v1/audio/speech', speechBody('Hello'), withKey('e'));
		expect(elsewhere.status).toBe(422);
		expect(carriedOut()).toBe(1);
	});
});

describe('A fault after the request was carried out', () => {
	it.each<[string, NonNullable<Rule['faults']>[number], number | undefined]>([
		['the page of a proxy', { kind: 'html', status: 502, carriedOut: true }, 502],
		['an error object', { kind: 'status', status: 504, carriedOut: true }, 504],
		['an empty answer', { kind: 'empty', status: 500, carriedOut: true }, 500],
		['a reset connection', { kind: 'resetBeforeHeaders', carriedOut: true }, undefined],
		['a lost connection', { kind: 'cut', afterBytes: 5 }, undefined],
	])('as %s leaves the answer to a repetition with the same key', async (_what, fault, status) => {
		const key = `after ${JSON.stringify(fault)}`;
		withFaults(fault);
		const lost = await chat(key).catch(() => undefined);
		expect(lost?.status).toBe(status);
		const again = await chat(key);
		expect([again.status, again.data.object]).toEqual([200, 'chat.completion']);
		expect(gateway.emulator.journal.entries().map((entry) => entry.carriedOut)).toEqual([true, false]);
	});
});
