import { startEmulator } from '../../../emulator';
import { useGateway } from './gateway';

const gateway = useGateway();

describe('Control routes', () => {
	it('set, show and reset rules', async () => {
		const rules = { 'GET /v1/models': { faults: [{ kind: 'empty', status: 418 }] } };
		expect((await gateway.client.put('/__emulator/behaviour', rules)).status).toBe(200);
		expect((await gateway.get('/__emulator/behaviour')).data).toMatchObject(rules);
		expect((await gateway.get('/v1/models')).status).toBe(418);
		await gateway.client.put('/__emulator/behaviour', { '*': { limit: { requests: 0, perMs: 1_000 } } });
		expect((await gateway.get('/v1/models')).status).toBe(429);
		expect((await gateway.client.delete('/__emulator/behaviour')).status).toBe(204);
		expect((await gateway.get('/v1/models')).status).toBe(200);
	});
});

describe('startEmulator', () => {
	it('closes immediately despite open connections', async () => {
		const emulator = await startEmulator();
		emulator.behaviour.set('*', { faults: [{ kind: 'stall' }] });
		const open = gateway.client.get(`${emulator.url}/v1/models`, {
			headers: { Authorization: `Bearer ${emulator.apiKey}` },
		});
		const broken = expect(open).rejects.toThrow();
		await emulator.journal.until(1, ({ fault }) => fault === 'stall');
		// It would not end if it waited for the answer, which never comes.
		await emulator.close();
		await broken;
		expect(emulator.journal.entries()[0].closedByClient).toBe(false);
	});
});
