import type { INodeExecutionData } from 'n8n-workflow';
import type { Rule } from '../../../emulator';
import { runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { FILES, GENERATE, imageNode } from './imageNode';

const gateway = useEmulator();
const draw = async (rows: number, parameters: object = {}, settings = {}) =>
	await runWorkflow(imageNode(parameters, settings), {
		credential: gateway.credential(),
		input: Array.from({ length: rows }, (_, row) => ({ json: { prompt: `Row ${row}.` } })),
	});
const onErrorOutput = { onError: 'continueErrorOutput' };
const rowsOf = (items: INodeExecutionData[]) =>
	items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
const detailsOf = ({ json }: INodeExecutionData) => json.details as Record<string, unknown>;
type Fault = NonNullable<Rule['faults']>[number];
const failing = (pattern: string, ...faults: Fault[]) => gateway.emulator.behaviour.set(pattern, { faults });

describe('Download of an image', () => {
	const page = { kind: 'status', status: 200, body: '<!DOCTYPE html><p>Expired' } as const;

	it.each<[string, Fault, RegExp, number]>([
		['a permanently failing server', { kind: 'empty', status: 500 }, /status 500, tried 2 times/, 2],
		['a web page', { kind: 'html', status: 200 }, /text\/html instead of an image/, 1],
		['a web page declared as an image', { ...page, contentType: 'image/png' }, /a web page instead/, 1],
	])(
		'fails only its row for %s and keeps the address of the paid image',
		async (_what, fault, why, tries) => {
			failing(FILES, { ...fault, times: 'always' });
			const { outputs } = await draw(2, { options: { maxRetries: 1 } }, onErrorOutput);
			expect(outputs[0]).toEqual([]);
			expect(rowsOf(outputs[1])).toEqual([0, 1]);
			const [item] = outputs[1];
			expect(item.json.error).toMatch(/^The file could not be downloaded from localhost/);
			expect(item.json.error).toMatch(why);
			expect(detailsOf(item)).toMatchObject({
				kind: 'download',
				description: expect.stringContaining('paid for'),
				partial: { url: expect.stringMatching(/^http:\/\/localhost:.*\.png$/), image: 1, images: 1 },
			});
			expect(gateway.emulator.journal.count(GENERATE)).toBe(2);
			expect(gateway.emulator.journal.count(FILES)).toBe(2 * tries);
		},
	);

	it('fails for one of three images without affecting the others', async () => {
		gateway.emulator.behaviour.set(GENERATE, { images: { count: 3 } });
		failing(FILES, { kind: 'status', status: 410, skip: 1 });
		const { outputs } = await draw(1, {}, onErrorOutput);
		expect(outputs[0].map(({ json }) => json.image)).toEqual([1, 3]);
		expect(outputs[1].map((item) => detailsOf(item).partial)).toEqual([
			{ url: expect.stringMatching(/\.png$/), image: 2, images: 3 },
		]);
		expect(rowsOf([...outputs[0], ...outputs[1]])).toEqual([0, 0, 0]);
	});
});

describe('Documented image failure', () => {
	it.each([
		['noImage', /^The model returned no image/, 'Reference Images', 2],
		['uploadFailed', /^The image was generated, but the gateway could not store it/, 'a few minutes', 2],
		['noChoices', /^The model returned an empty response.*safety filter/, 'Change Prompt', 1],
	] as const)(
		'has its own advice for %s, and is sent again only if the user wants that',
		async (reason, message, advice, requests) => {
			failing(GENERATE, { kind: 'imageFailure', reason, times: 'always' });
			for (const retryUnclear of [false, true]) {
				gateway.emulator.journal.clear();
				const options = { maxRetries: 1, retryUnclear };
				const { outputs } = await draw(1, { options }, onErrorOutput);
				const [item] = outputs[1];
				const details = detailsOf(item);
				expect(item.json.error).toMatch(message);
				expect(item.json.error).toContain(`: ${details.gatewayMessage as string}`);
				expect(details.description).toContain(advice);
				expect(details.description).toContain('charged for it');
				expect(details.mayHaveBeenCarriedOut).toBe(true);
				const expected = retryUnclear ? requests : 1;
				expect(details.attempts).toBe(expected);
				expect(gateway.emulator.journal.count(GENERATE)).toBe(expected);
			}
		},
	);
});
