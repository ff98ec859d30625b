import { KEY, leaksIn, SPELLINGS } from '../../unit/shared/secrets/spellings';
import { searchList } from '../engine/listSearch';
import { nodeTypes } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

const gateway = useEmulator({ apiKey: KEY });
const spelled = Object.values(SPELLINGS).map((spell) => spell(KEY));
const BODIES: Record<string, unknown> = {
	// Each model is listed once, also when the keys in two IDs are removed.
	searchModels: { data: spelled.map((id, index) => ({ id: `${index}-${id}` })) },
	searchVoices: { voice_characters: spelled.map((name) => ({ name, description: name, public: true })) },
	searchLanguages: { code: 200, message: KEY, data: spelled.map((code) => ({ code, label: code })) },
	searchMusicCharts: { code: 200, message: KEY, data: spelled.map((id) => ({ id, name: id })) },
};
const searches = Object.entries(nodeTypes).flatMap(([type, node]) =>
	Object.keys(node.methods?.listSearch ?? {}).map((method) => [type, method] as const),
);

/** Opens a list while the gateway answers with this. */
async function search(type: string, method: string, status: number, body: unknown) {
	const headers = { 'x-request-id': KEY };
	gateway.fail('/*', { kind: 'status', status, body, headers, times: 'always' });
	return await searchList(nodeTypes[type], method, gateway.credential());
}

describe('A list in the editor', () => {
	it.each(searches)('has no key in its entries (%s, %s)', async (type, method) => {
		const { results } = await search(type, method, 200, BODIES[method]);
		expect(results.length).toBeGreaterThanOrEqual(spelled.length);
		expect(leaksIn(JSON.stringify(results))).toEqual([]);
		expect(leaksIn(results.map(({ name, value }) => `${name} ${value}`).join('\n'))).toEqual([]);
	});

	it.each(searches)('has no key in its error (%s, %s)', async (type, method) => {
		const body = { error: { message: spelled.join(' '), type: KEY, code: KEY } };
		const error = await search(type, method, 400, body).catch((thrown: Error) => thrown);
		expect(leaksIn(`${(error as Error).message}\n${(error as Error).stack}`)).toEqual([]);
		expect((error as Error).message).toContain('[API key]');
	});
});
