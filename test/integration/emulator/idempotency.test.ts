import type { AxiosResponse } from 'axios';
import { chatBody, speechBody, useGateway } from './gateway';

const HEADER = 'Idempotency-Key';
const gateway = useGateway({ idempotencyHeader: HEADER });

type Config = Parameters<typeof gateway.post>[2];
const withKey = (key: string, more: Config = {}): Config => ({ ...more, headers: { [HEADER]: key } });
const chat = async (key: string, text = 'Hello', more: object = {}): Promise<AxiosResponse> =>
	await gateway.post('/v1/chat/completions', chatBody(text, more), withKey(key));
const carriedOut = () => gateway.emulator.journal.count((entry) => entry.carriedOut);

describe('A repeated idempotency key', () => {
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
