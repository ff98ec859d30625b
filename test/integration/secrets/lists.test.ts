import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEY, leaksIn, SPELLINGS } from '../../unit/shared/secrets/spellings';
import { searchList } from '../engine/listSearch';
import { nodeTypes } from '../engine/runWorkflow';

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

let server: Server;
let url: string;
let status = 200;
let body: unknown;
let rate = 70_000;

beforeAll(async () => {
	server = createServer((request, response) => {
		request.resume();
		response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': KEY });
		response.end(JSON.stringify(body));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const search = async (type: string, method: string) =>
	await searchList(nodeTypes[type], method, { baseUrl: url, apiKey: KEY, requestsPerMinute: ++rate });

describe('A list in the editor', () => {
	it.each(searches)('has no key in its entries (%s, %s)', async (type, method) => {
		status = 200;
		body = BODIES[method];
		const { results } = await search(type, method);
		expect(results.length).toBeGreaterThanOrEqual(spelled.length);
		expect(leaksIn(JSON.stringify(results))).toEqual([]);
		expect(leaksIn(results.map(({ name, value }) => `${name} ${value}`).join('\n'))).toEqual([]);
	});

	it.each(searches)('has no key in its error (%s, %s)', async (type, method) => {
		status = 400;
		body = { error: { message: spelled.join(' '), type: KEY, code: KEY } };
		const error = await search(type, method).catch((thrown: Error) => thrown);
		expect(leaksIn(`${(error as Error).message}\n${(error as Error).stack}`)).toEqual([]);
		expect((error as Error).message).toContain('[API key]');
	});
});
