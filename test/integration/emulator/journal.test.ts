import { useGateway } from './gateway';

const gateway = useGateway();

describe('Journal', () => {
	it('records the state of keys but never the keys', async () => {
		const { apiKey } = gateway.emulator;
		const headers = { Authorization: 'Bearer wrong-key', 'x-api-key': apiKey, 'x-goog-api-key': apiKey };
		await gateway.get('/v1/models', { headers });
		await gateway.get('/v1/models');
		await gateway.get('/v1/models', { headers: { Authorization: null } });
		const [wrong, right, missing] = gateway.emulator.journal.entries();
		expect(wrong.headers).toMatchObject({
			authorization: 'invalid',
			'x-api-key': 'valid',
			'x-goog-api-key': 'valid',
		});
		expect(right.headers).toMatchObject({ authorization: 'valid', 'x-api-key': 'missing' });
		expect(missing.headers).toMatchObject({ authorization: 'missing' });
		expect([wrong.key, right.key, missing.key]).toEqual(['invalid', 'valid', 'missing']);
		const text = JSON.stringify(gateway.emulator.journal.entries());
		expect(text).not.toContain(apiKey);
		expect(text).not.toContain('wrong-key');
	});
});
