import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

/** One rule for the two places in which a user enters a path. */

const emulated = useEmulator(32_000_000);

/** The path of a request, in each of the places. */
const places: Record<string, (text: string) => [node: string, parameters: object]> = {
	'Custom Endpoint': (text) => ['utilities', { operation: 'getCustomEndpoint', path: text, prefix: '' }],
	'Custom Endpoint with a prefix': (text) => ['utilities', { operation: 'getCustomEndpoint', path: text }],
	'Endpoint Path': (text) => ['utilities', { operation: 'quote', options: { endpointPath: text } }],
};

async function run(place: string, text: string, utilitiesBaseUrl = '') {
	const [node, parameters] = places[place](text);
	emulated.reset();
	const { error } = await runWorkflow(oneNode(node, { ...parameters }), {
		credential: { ...emulated.credential(), utilitiesBaseUrl },
	});
	const paths = emulated.emulator.journal.entries().map(({ path }) => path);
	return { error, paths };
}

describe.each(Object.keys(places))('%s', (place) => {
	it.each([' v2/apis/quote ', '/v2/apis/quote?encoding=text'])('sends %j', async (text) => {
		const { error, paths } = await run(place, text);
		expect(error).toBeUndefined();
		expect(paths).toEqual(['/v2/apis/quote']);
	});

	it.each(['/v1', '/v2/apis/'])('sends a path to an address that ends in %j', async (ending) => {
		const { error, paths } = await run(place, '/v2/apis/quote', emulated.emulator.url + ending);
		expect(error).toBeUndefined();
		expect(paths).toEqual(['/v2/apis/quote']);
	});

	it.each([
		['/v2/apis/music-rank/{id}', 'contains {id}, which has no value'],
		['https://evil.example/v2/apis/quote', 'is a whole URL'],
	])('refuses %j: it %s', async (text, why) => {
		const { error, paths } = await run(place, text);
		const label = place === 'Endpoint Path' ? 'Endpoint Path' : 'Path';
		expect(error?.message).toBe(`${label} ${why}`);
		expect(paths).toEqual([]);
	});
});
