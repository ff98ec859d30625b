import type { IBinaryData } from 'n8n-workflow';
import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { Call } from '../../../nodes/shared/run/call';
import { RunResources } from '../../../nodes/shared/run/resources';
import { PaidResults } from '../../../nodes/shared/run/paidResults';
import { FakeContext, type FakeSettings } from './fakeContext';
import { PaidGateway } from './paidGateway';

const TEXT = { displayName: 'Prompt', name: 'prompt' };
const FLAG = { displayName: 'Simplify', name: 'simplify' };

/** A call for an item, with a gateway that answers everything. */
function callWith(settings: FakeSettings = {}, itemIndex = 0, tries: object = {}) {
	const context = new FakeContext(settings);
	const gateway = new PaidGateway();
	const results = new PaidResults(tries as never, { runIndex: 0, keepsValues: true });
	const resources = new RunResources(context.execute, gateway.client, { results });
	return { call: new Call(resources, itemIndex), context, gateway };
}
const parameter = (prompt: unknown) => callWith({ parameters: { prompt } }).call;
const options = (values: object) => callWith({ parameters: { options: values } }).call;

describe('The parameters of an item', () => {
	it('are read for this item', () => {
		const { call } = callWith({ parameters: { prompt: (index: number) => `Prompt ${index}` } }, 2);
		expect(call.value(TEXT)).toBe('Prompt 2');
	});

	it('may be picked from a list, without white space around the ID', () => {
		expect(parameter(' small ').picked(TEXT)).toBe('small');
		expect(parameter(7).picked(TEXT)).toBe('7');
		expect(parameter(null).pickedOrEmpty(TEXT)).toBe('');
		expect(parameter(undefined).pickedOrEmpty(TEXT)).toBe('');
		expect(() => parameter(' ').picked(TEXT)).toThrow('Prompt is empty');
	});
});

describe('A flag', () => {
	it('is off when the node does not show it, and has its default when the cell of a table is empty', () => {
		const on = { ...FLAG, default: true };
		const read = (simplify: unknown) => callWith({ parameters: { simplify } }).call.flag(on);
		expect(read(null)).toBe(false);
		expect(['', ' '].map(read)).toEqual([true, true]);
		expect(callWith({ parameters: { simplify: () => undefined } }).call.flag(on)).toBe(true);
	});
});

describe('The options of an item', () => {
	it('are none when the collection is empty or missing', () => {
		expect(options({}).options.value(TEXT)).toBeUndefined();
		expect(callWith().call.options.value(TEXT)).toBeUndefined();
	});

	it('are read once', () => {
		const { call, context } = callWith({ parameters: { options: () => ({ prompt: 'a' }) } });
		expect([call.options.text(TEXT), call.options.text(TEXT)]).toEqual(['a', 'a']);
		expect(context.reads).toHaveLength(2);
	});

	it('say how to send requests', () => {
		const set = { maxRetries: 0, timeoutSeconds: 7, totalTimeLimitMinutes: 30, repeatWhenUnclear: true };
		expect(options(set).requestOptions).toEqual({
			maxRetries: 0,
			timeoutSeconds: 7,
			totalMinutes: 30,
			repeatsUnclear: true,
		});
		expect(options({}).requestOptions).toEqual({
			maxRetries: undefined,
			timeoutSeconds: undefined,
			totalMinutes: undefined,
			repeatsUnclear: false,
		});
	});

	it.each([
		[{ maxRetries: -1 }, 'Max Retries is -1'],
		[{ timeoutSeconds: 0 }, 'Timeout (Seconds) is 0'],
		[{ timeoutSeconds: 1e9 }, 'Timeout (Seconds) is 1000000000'],
		[{ totalTimeLimitMinutes: 0 }, 'Total Time Limit (Minutes) is 0'],
	])('cannot be %j', (set, message) => {
		expect(() => options(set).requestOptions).toThrow(message);
	});

	it('may add fields to the body', () => {
		expect(options({ extraBodyFields: '{"seed": 7}' }).extraBodyFields).toEqual({ seed: 7 });
		expect(options({ extraBodyFields: { seed: 7 } }).extraBodyFields).toEqual({ seed: 7 });
		expect(options({ extraBodyFields: '' }).extraBodyFields).toEqual({});
		expect(options({}).extraBodyFields).toEqual({});
	});

	it.each([['[1]'], ['7'], ['null'], [[1]]])('cannot add %j to the body', (extraBodyFields) => {
		expect(() => options({ extraBodyFields }).extraBodyFields).toThrow(
			expect.objectContaining({
				kind: 'input',
				message: 'Extra Body Fields is not a JSON object',
				description: 'Enter an object, for example {"seed": 7}.',
			}),
		);
	});
});

describe('What a call knows of its run', () => {
	it('is whether a failure stops the run', () => {
		const failure = new GatewayFailure('input', 'Bad', '');
		const { stopsAt } = callWith().call.pool;
		expect(stopsAt?.({ failure })).toBe(true);
		expect(stopsAt?.([{ result: {} }, { failure }])).toBe(true);
		expect(stopsAt?.([{ result: {} }])).toBe(false);
		expect(stopsAt?.([])).toBe(false);
		expect(callWith({ continueOnFail: true }).call.pool.stopsAt).toBeUndefined();
	});

	it('is that a sub-node stops at a failure, because it cannot continue', () => {
		const { execute } = new FakeContext();
		const supply = Object.fromEntries(Object.entries(execute).filter(([name]) => name !== 'continueOnFail'));
		const resources = new RunResources(supply as unknown as typeof execute, new PaidGateway().client);
		const call = new Call(resources, 0);
		expect(call.pool.stopsAt?.({ failure: 1 })).toBe(true);
	});

	it('is told to the user with the item', () => {
		const { call, context } = callWith({}, 4);
		call.hint('The text was cut');
		expect(context.hints).toEqual([{ message: 'The text was cut [item 4]', location: 'outputPane' }]);
	});
});

describe('A file of a result', () => {
	const file = (id?: string): IBinaryData => ({ id, mimeType: 'image/png', data: '' });

	it('is downloaded once for all tries, for the same link', async () => {
		const tries = {};
		const keep = async (about: unknown[], id: string) =>
			await callWith({}, 0, tries).call.keepFile(about, async () => file(id));
		expect(await keep(['https://files.example/a'], 'one')).toEqual(file('one'));
		expect(await keep(['https://files.example/a'], 'two')).toEqual(file('one'));
		expect(await keep(['https://files.example/b'], 'three')).toEqual(file('three'));
	});

	it('is downloaded again if n8n has deleted it', async () => {
		const tries = {};
		const keep = async (id?: string) =>
			await callWith({}, 0, tries).call.keepFile(['a'], async () => file(id));
		await keep('deleted:1');
		expect(await keep('two')).toEqual(file('two'));
		expect(await keep('three')).toEqual(file('two'));
	});

	it('belongs to its item', async () => {
		const tries = {};
		await callWith({}, 0, tries).call.keepFile(['a'], async () => file('one'));
		expect(await callWith({}, 1, tries).call.keepFile(['a'], async () => file('two'))).toEqual(file('two'));
	});
});
