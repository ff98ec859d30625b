import type { INodeProperties } from 'n8n-workflow';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import type { UtilityParameter } from '../../../nodes/Utilities/catalogue/utility';
import { definitionOf, isField, readParameter } from '../../../nodes/Utilities/parameter';
import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';
import { Call } from '../../../nodes/shared/run/call';
import { runResources } from '../../../nodes/shared/run/resources';
import { FakeContext } from '../shared/fakeContext';
import { PaidGateway } from '../shared/paidGateway';

const all = catalogue.flatMap(({ value, parameters }) =>
	parameters.map((parameter) => ({ operation: value, key: parameter.key, parameter })),
);

/** What is sent for the value of a parameter. */
function sentFor(parameter: UtilityParameter, value: unknown): string | undefined {
	const set = { [parameter.key]: value };
	const context = new FakeContext({ parameters: isField(parameter) ? set : { options: set } });
	const resources = runResources(context.execute, new PaidGateway().client);
	return readParameter(new Call(resources, 0), parameter);
}

describe('A text parameter', () => {
	const texts = all.filter(({ parameter }) => parameter.type === 'text');
	/** What names something, as opposed to a text or a password, of which each character counts. */
	const identifiers = [
		'color color',
		'colorPalette color',
		'currentWeather query',
		'encyclopedia word',
		'exchangeRates currency',
		'fuelPrices region',
		'lyrics query',
		'olympicMedals id',
		'pageMetadata url',
		'weatherForecast query',
		'whois domain',
	];

	it.each(texts)(
		'$key of $operation is trimmed only if it is an identifier',
		({ operation, key, parameter }) => {
			const isIdentifier = identifiers.includes(`${operation} ${key}`);
			expect(sentFor(parameter, ' \t a b \n')).toBe(isIdentifier ? 'a b' : ' \t a b \n');
			if (!isIdentifier) expect(sentFor(parameter, ' ')).toBe(' ');
		},
	);

	it('that is an identifier exists', () => {
		const known = texts.map(({ operation, key }) => `${operation} ${key}`);
		expect(known).toEqual(expect.arrayContaining(identifiers));
	});
});

describe('A switch', () => {
	const switches = all.filter(({ parameter }) => ['switch', 'presence'].includes(parameter.type));

	it.each(switches)('$key of $operation changes the request as soon as it is added', ({ parameter }) => {
		const { default: start } = definitionOf(parameter);
		const usual = parameter.type === 'switch' ? String(parameter.usual) : undefined;
		expect(sentFor(parameter, undefined)).toBeUndefined();
		expect(sentFor(parameter, start)).not.toBe(usual);
		expect(sentFor(parameter, start)).toBeDefined();
		if (parameter.type === 'switch') expect(parameter.description).toMatch(/ By default, /);
	});

	it.each(switches)('$key of $operation may have any usual spelling', ({ parameter }) => {
		const [on, off] = [sentFor(parameter, true), sentFor(parameter, false)];
		for (const value of [1, '1', 'TRUE', 'yes']) expect(sentFor(parameter, value)).toBe(on);
		for (const value of [0, '0', 'False', 'no']) expect(sentFor(parameter, value)).toBe(off);
		for (const value of ['', ' ', null]) expect(sentFor(parameter, value)).toBeUndefined();
		for (const value of ['maybe', 2, {}]) {
			expect(() => sentFor(parameter, value)).toThrow(`${parameter.label} is neither on nor off`);
		}
	});

	it('in Options of the node starts on, or says what the default is', () => {
		const entries = new Utilities().description.properties.find(({ name }) => name === 'options')!
			.options as INodeProperties[];
		const booleans = entries.filter(({ type }) => type === 'boolean');
		expect(booleans.length).toBeGreaterThan(5);
		for (const { default: start, description } of booleans) {
			expect(start === true || /\bdefault\b/.test(description!)).toBe(true);
		}
	});
});

describe('A number', () => {
	it.each(all.filter(({ parameter }) => parameter.type === 'number'))(
		'$key of $operation may be a text',
		({ parameter }) => {
			for (const value of [8, '8', ' 8 ', '8.0']) expect(sentFor(parameter, value)).toBe('8');
			for (const value of ['8,5', 'eight', true]) {
				expect(() => sentFor(parameter, value)).toThrow(`${parameter.label} is not a number`);
			}
			expect(() => sentFor(parameter, '7.5')).toThrow('whole number');
		},
	);
});

describe('A choice', () => {
	const find = (operation: string, key: string) =>
		all.find((one) => one.operation === operation && one.key === key)!.parameter;

	it('of the gender has no preset, and is required', () => {
		const gender = find('healthReport', 'gender');
		expect(definitionOf(gender)).toMatchObject({ default: '', required: true });
		expect(() => sentFor(gender, '')).toThrow(
			expect.objectContaining({
				kind: 'input',
				message: 'Gender is empty',
				description: 'Select one of Female, Male.',
			}),
		);
		expect(sentFor(gender, ' male ')).toBe('male');
	});

	it('of the error correction is named and sorted like the levels of QR codes', () => {
		const { options, default: preset } = definitionOf(find('qrCode', 'level'));
		expect(options).toEqual([
			{ name: 'L (7%)', value: 'L' },
			{ name: 'M (15%)', value: 'M' },
			{ name: 'Q (25%)', value: 'Q' },
			{ name: 'H (30%)', value: 'H' },
		]);
		expect(preset).toBe('M');
	});

	it('of the length of a password begins with what gateways use', () => {
		expect(definitionOf(find('passwordGenerate', 'length')).default).toBe(16);
	});
});

describe('A date', () => {
	it.each(all.filter(({ parameter }) => parameter.type === 'date'))(
		'of $operation may be in milliseconds, and is a day of the time zone of the workflow',
		({ parameter }) => {
			for (const value of [1_787_355_000_000, '1787355000000', '2026-08-21', new Date(1_787_355_000_000)]) {
				expect(sentFor(parameter, value)).toBe('2026-08-21');
			}
			expect(() => sentFor(parameter, 1_787_355_000)).toThrow('Date is not a date: "1787355000"');
		},
	);
});
