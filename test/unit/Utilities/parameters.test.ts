import { catalogue } from '../../../nodes/Utilities/catalogue';
import type { UtilityParameter } from '../../../nodes/Utilities/catalogue/utility';
import { LET_AGENT_FILL } from '../../../nodes/Utilities/fields';
import { definitionOf, isField, readParameter, dayOf } from '../../../nodes/Utilities/parameter';
import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';
import { Call } from '../../../nodes/shared/run/call';
import { RunResources } from '../../../nodes/shared/run/runResources';
import { FakeContext } from '../shared/fakeContext';
import { PaidGateway } from '../shared/paidGateway';

const { properties } = new Utilities().description;
const all = catalogue.flatMap(({ value, parameters }) =>
	parameters.map((parameter) => ({ operation: value, key: parameter.name, parameter })),
);

/** What is sent for the value of a parameter, and what the user is told. */
function read(parameter: UtilityParameter, value: unknown, type: string, extra?: string[]) {
	const set = { [parameter.name]: value };
	const context = new FakeContext({
		parameters: isField(parameter) ? set : { options: set },
		node: { type },
	});
	const resources = new RunResources(context.execute, new PaidGateway().client);
	return {
		sent: readParameter(new Call(resources, 0), parameter, extra),
		hints: [...resources.hints.keys()],
	};
}

function sentFor(parameter: UtilityParameter, value: unknown, type = 'utilities'): string | undefined {
	return read(parameter, value, type).sent;
}

describe('A text parameter', () => {
	const texts = all.filter(({ parameter }) => parameter.type === 'string');
	it.each(texts)('$key of $operation is trimmed unless each character counts', ({ parameter }) => {
		const isVerbatim = parameter.verbatim === true;
		expect(sentFor(parameter, ' \t a b \n')).toBe(isVerbatim ? ' \t a b \n' : 'a b');
		if (isVerbatim) expect(sentFor(parameter, ' ')).toBe(' ');
	});

	it('counts each character of texts, passwords, and names of persons', () => {
		const verbatim = texts.filter(({ parameter }) => parameter.verbatim);
		const names = verbatim.map(({ operation, key }) => `${operation} ${key}`).sort();
		expect(names).toEqual(['hash content', 'passwordCheck password', 'qrCode text', 'translate text']);
	});
});

describe('A switch', () => {
	const switches = all.filter(({ parameter }) => parameter.type === 'boolean');

	it.each(switches)('$key of $operation is on as soon as it is added, and then sent', ({ parameter }) => {
		const { default: start } = definitionOf(parameter);
		expect(start).toBe(true);
		expect(sentFor(parameter, undefined)).toBeUndefined();
		expect(sentFor(parameter, start)).toBe(parameter.sentAs ?? 'true');
		expect(sentFor(parameter, false)).toBe(parameter.sentAs === undefined ? 'false' : undefined);
		if (parameter.sentAs === undefined) expect(parameter.description).toMatch(/ \(default: (yes|no)\)$/);
	});
});

describe('A tool of an agent', () => {
	const fields = all.filter(({ parameter }) => isField(parameter));
	const texts = fields.filter(({ parameter }) => parameter.type === 'string');
	const isFree = ({ parameter }: (typeof all)[number]) => parameter.upfront === 'optional';

	it.each(texts.filter((one) => !isFree(one)))('is refused without $key of $operation', ({ parameter }) => {
		const failure = expect.objectContaining({
			kind: 'input',
			message: `${parameter.displayName} is empty`,
			description: expect.stringMatching(
				/^Enter a value for .*\. .* click the sparkle button beside a field/,
			),
			facts: expect.objectContaining({ attempts: 0 }),
		});
		for (const empty of ['', undefined, null]) {
			expect(() => sentFor(parameter, empty, 'utilitiesTool')).toThrow(failure);
		}
		if (parameter.required !== true) {
			const hints = [`${parameter.displayName} is empty, so the gateway chose it`];
			expect(read(parameter, '', 'utilities')).toEqual({ sent: undefined, hints });
		}
		expect(sentFor(parameter, 'Berlin', 'utilitiesTool')).toBe('Berlin');
	});

	it.each([
		['query', ['query']],
		['query', ['province']],
		['query', ['limit', 'city']],
		['region', ['region']],
		['currency', ['currency']],
	])('needs no %s if Extra Query Parameters have %j, and nobody is told that it is empty', (key, extra) => {
		const { parameter } = fields.find((one) => one.key === key)!;
		for (const type of ['utilities', 'utilitiesTool']) {
			expect(read(parameter, '', type, extra)).toEqual({ sent: undefined, hints: [] });
		}
		expect(() => read(parameter, '', 'utilitiesTool', ['limit'])).toThrow('is empty');
	});

	it('says in its panel how the agent can fill in a field, wherever there is one', () => {
		const { displayName, displayOptions } = properties.find(({ name }) => name === LET_AGENT_FILL.name)!;
		expect(displayName).toContain('"Let the model define this parameter"');
		const { operation = [], ...others } = displayOptions!.show!;
		expect(others).toEqual({ '@tool': [true] });
		const operations = [...fields.map((one) => one.operation), 'getCustomEndpoint'];
		expect([...operation].sort()).toEqual([...new Set(operations)].sort());
	});
});

describe('A choice', () => {
	it('of the gender has no preset, and is required', () => {
		const gender = all.find(({ key }) => key === 'gender')!.parameter;
		expect(definitionOf(gender)).toMatchObject({ default: '', required: true });
		const failure = { message: 'Gender is empty', description: 'Select one of Female, Male.' };
		expect(() => sentFor(gender, '')).toThrow(expect.objectContaining({ kind: 'input', ...failure }));
		expect(sentFor(gender, ' male ')).toBe('male');
	});

	it('that has a default is that for an empty cell, also where one is required', () => {
		const { parameter } = all.find(({ operation, key }) => operation === 'techNews' && key === 'type')!;
		expect(['', ' ', undefined, null].map((empty) => sentFor(parameter, empty))).toEqual(
			Array.from({ length: 4 }, () => 'top'),
		);
	});
});

describe('A date', () => {
	it.each(all.filter(({ parameter }) => parameter.type === 'dateTime'))(
		'of $operation may be in milliseconds, and is a day of the time zone of the workflow',
		({ parameter }) => {
			for (const value of [1_787_355_000_000, '1787355000000', '2026-08-21', new Date(1_787_355_000_000)]) {
				expect(sentFor(parameter, value)).toBe('2026-08-21');
			}
			expect(() => sentFor(parameter, 1_787_355_000)).toThrow('Date is not a date: "1787355000"');
		},
	);
});

const ZONES = ['UTC', 'America/New_York', 'Asia/Shanghai', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];

describe('The calendar day of a text', () => {
	it.each([
		...['2026-08-21', ' 2026-08-21 ', '2026-08-21T00:00:00', '2026-08-21T23:59:59.999', '2026-08-21 23:30'],
		...['2026-08-21 9:30', '2026-08-21 11:30 PM', '2026-08-21T23:30:00.000+08:00'],
		...['2026-08-21T00:30:00-04:00', '2026-08-21T23:30:00+0800[Asia/Shanghai]'],
	])('%j is the one in the text, in each time zone', (text) => {
		for (const zone of ZONES) expect(dayOf(text, zone)).toBe('2026-08-21');
	});
});

describe('The calendar day of a moment', () => {
	/** One moment in the forms that nodes and spreadsheets have for it. */
	const formsOf = (iso: string) => {
		const moment = new Date(iso);
		return [moment, moment.getTime(), String(moment.getTime()), ` ${moment.getTime()} `, iso];
	};

	it.each([
		['2026-08-21T23:30:00.000Z', 'UTC', '2026-08-21'],
		['2026-08-21T23:30:00Z', 'Asia/Shanghai', '2026-08-22'],
		['2026-08-21T16:00:00.000Z', 'Asia/Shanghai', '2026-08-22'],
		['2026-08-21T15:59:59.999Z', 'Asia/Shanghai', '2026-08-21'],
		['2026-08-21T04:00:00.000Z', 'America/New_York', '2026-08-21'],
		['2026-08-21T03:59:00Z', 'America/New_York', '2026-08-20'],
		['2025-12-31T23:00:00.000Z', 'Europe/Berlin', '2026-01-01'],
	])('%s is a day in %s', (iso, zone, day) => {
		expect(formsOf(iso).map((form) => dayOf(form, zone))).toEqual(Array(5).fill(day));
	});

	it('at midnight in UTC is the day that databases write like this', () => {
		const forms = formsOf('2026-08-21T00:00:00.000Z');
		const days = ZONES.flatMap((zone) => forms.map((form) => dayOf(form, zone)));
		expect(days).toEqual(Array(5 * ZONES.length).fill('2026-08-21'));
	});
});

describe('No calendar day', () => {
	it.each([
		...['tomorrow', '2026-02-30', '2026-13-01', '2026-02-30T23:30:00Z', '2026-08-21later'],
		...['2026-08-21Tlater', '2026-08-21T', '21.08.2026', '26-08-21', '2026-08-2\u0661'],
		// Seconds, an odd number of digits, and the number of a day in a spreadsheet.
		...[1_787_355_000, '178735500000', '17873550000000', 46_255, -1_787_355_000_000, 1_787_355_000_000.5],
		...[true, {}, [], new Date(Number.NaN)],
	])('is %j', (value) => {
		expect(dayOf(value, 'Asia/Shanghai')).toBeUndefined();
	});
});

describe('A value that the gateway does not find', () => {
	const failing = async (type: string) => {
		const context = new FakeContext({
			parameters: { operation: 'currentWeather', query: 'London', encoding: 'text' },
			node: { type, onError: 'continueRegularOutput' },
			continueOnFail: true,
			respond: () => ({ body: { code: 404, message: 'Not found', data: null } }),
		});
		const [[{ json }]] = await new Utilities().execute.call(context.execute);
		return JSON.stringify(json);
	};

	it('has advice on the gateway, but not for a model, which cannot follow it', async () => {
		expect(await failing('x.utilities')).toMatch(/Try the Chinese name .*Custom Endpoint/);
		expect(await failing('x.utilitiesTool')).toMatch(
			/Try the Chinese name .*Check City\. The request was not carried out\.[^.]*$/,
		);
	});
});
