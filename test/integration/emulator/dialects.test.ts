import { dialects, toolDialects } from '../../../emulator/dialects';
import { useGateway } from './gateway';

const gateway = useGateway();
const ALL = [...dialects, ...toolDialects];
const rerank = { model: 'reranker-v2-m3', query: 'moon', documents: ['The moon', 'A password'] };

describe('A dialect', () => {
	it('has a name of its own in kebab case, a description of one line, a source, and routes', () => {
		expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
		for (const { name, description, source, routes } of ALL) {
			expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
			expect(description).toMatch(/^[^\n]{8,160}$/);
			expect(source).toMatch(/^[A-Za-z][^\n:]{3,60}: [^\n]{3,}$/);
			expect(routes).not.toEqual([]);
		}
	});

	it('in which the gateway refuses leaves the request undone and unpaid', async () => {
		gateway.emulator.behaviour.set('/v1/rerank', { dialect: 'error-code-401-msg' });
		const { status, data } = await gateway.post('/v1/rerank', rerank);
		expect([status, data]).toEqual([200, { code: 401, msg: expect.any(String) }]);
		const [entry] = gateway.emulator.journal.entries();
		expect([entry.carriedOut, entry.status]).toEqual([false, 200]);
		expect((await gateway.get('/v1/dashboard/billing/usage')).data.total_usage).toBe(0);
	});
});
