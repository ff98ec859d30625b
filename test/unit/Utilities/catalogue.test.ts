import type { INodePropertyOptions } from 'n8n-workflow';
import { presetOf } from '../../../tools/docs/utilities';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import type { UtilityParameter, OutputField } from '../../../nodes/Utilities/catalogue/utility';
import { isField } from '../../../nodes/Utilities/parameter';
import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';
import { fieldOf, fieldsOfWhole, toItems } from '../../../nodes/Utilities/items';
import { type Emulator, startEmulator } from '../../../emulator';
import { utilityEndpoints } from '../../../emulator/utilities';
import { openEnvelope } from '../../../nodes/Utilities/readUtility';
import { asRecord } from '../../../nodes/shared/plain/values';
import { documented, type DocumentedParameter, interfaceDocument as document, PATH } from './documented';

const { description } = new Utilities();
const options = description.properties.find(({ name }) => name === 'options')!.options!;

describe('Catalogue', () => {
	it('has unique operations, names, and actions', () => {
		for (const key of ['value', 'name', 'action', 'description'] as const) {
			expect(new Set(catalogue.map((utility) => utility[key])).size).toBe(catalogue.length);
		}
	});

	it('shares an entry of Options only between equal parameters', () => {
		const optional = catalogue.flatMap(({ parameters }) => parameters.filter((one) => !isField(one)));
		expect(optional.length).toBeGreaterThan(10);
		const byKey = new Map<string, UtilityParameter>();
		for (const parameter of optional) {
			expect(byKey.get(parameter.name) ?? parameter).toEqual(parameter);
			byKey.set(parameter.name, parameter);
		}
		expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
	});
});

it('The description of the node stays small, because the editor loads it at every start', () => {
	expect(JSON.stringify(description).length / catalogue.length).toBeLessThan(1_050);
});

/** A path of the emulator in the notation of the catalogue. */
const catalogued = (path: string) => `/v2/apis${path.replace(/:(\w+)/g, '{$1}')}`;

/** What the emulator, which was written from observed answers, sends for each path. */
const answers = new Map<string, unknown>();
let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
	for (const { path, example } of utilityEndpoints) {
		const address = new URL(`${emulator.url}/v2/apis${example}`);
		address.searchParams.set('encoding', 'json');
		const response = await fetch(address, { headers: { authorization: `Bearer ${emulator.apiKey}` } });
		const body = await response.text();
		const { data } = body.startsWith('{') ? (JSON.parse(body) as { data: unknown }) : { data: body };
		answers.set(catalogued(path), data);
	}
});
afterAll(async () => await emulator.close());

const utilities = catalogue.filter(({ output }) => output);

const pathsOf = (field: OutputField) => (typeof field === 'string' ? [field] : field.slice(1));

/** Whether a shape has something at a path. */
function has(shape: unknown, path: string): boolean {
	return (
		path.split('.').reduce<unknown>((value, part) => {
			const fields = Array.isArray(value) ? (value as unknown[])[0] : value;
			return asRecord(fields)?.[part];
		}, shape) !== undefined
	);
}

/** What the user asks for decides the language, which the description then does not promise. */
const IN_ANY_LANGUAGE = ['lyrics', 'pageMetadata', 'qrCode', 'translate', 'whois'];

describe('The output of the catalogue', () => {
	it.each(catalogue)('is what the texts of $value promise, with addresses last', (utility) => {
		const { value, path, action, description, many, output = {} } = utility;
		const data = answers.get(path);
		const items = toItems(openEnvelope(data), {
			simplify: true,
			splitOutLists: many,
			wantedList: '',
			output,
		});
		const isChinese = /\p{Script=Han}/u.test(JSON.stringify(items));
		const isFree = IN_ANY_LANGUAGE.includes(value);
		expect([description, / in Chinese\b/.test(description)]).toEqual([description, !isFree && isChinese]);
		const addresses = Object.values(items[0]).map((field) => /^"https?:/.test(JSON.stringify(field)));
		expect(addresses).toEqual([...addresses].sort());
		if (utility.output) expect([action, items.length > 1]).toEqual([action, /^get many /.test(action)]);
	});

	it.each(utilities)('has at most ten fields with different names for $value', ({ output }) => {
		expect(output).toBeDefined();
		for (const fields of [fieldsOfWhole(output!), ...Object.values(output!.lists ?? {})]) {
			// The readable text beside a time is a field as well.
			const names = fields.map((field) => fieldOf(field).name);
			const different = new Set(names.flatMap((name) => [name, name.replace(/_at$/, '')]));
			expect(different.size).toBeGreaterThan(0);
			expect(different.size).toBeLessThanOrEqual(10);
			expect(new Set(names).size).toBe(fields.length);
			const paths = fields.map((field) => (typeof field === 'string' ? field : field[1]));
			expect(new Set(paths).size).toBe(paths.length);
		}
	});

	it.each(utilities)('takes the fields of $value from where a service sends them', ({ path, output }) => {
		const shape = answers.get(path);
		expect(shape).toBeDefined();
		const { fields = [], lists = {} } = output!;
		expect([...fields, ...Object.keys(lists)]).not.toEqual([]);
		for (const field of fields) expect(pathsOf(field).some((one) => has(shape, one))).toBe(true);
		for (const [name, ofEntry] of Object.entries(lists)) {
			const list = (Array.isArray(shape) ? shape : asRecord(shape)![name]) as unknown[];
			expect(Array.isArray(list)).toBe(true);
			const [entry] = list;
			// The service had no shops, banks, and recyclers to show when it was observed.
			if (entry === undefined) continue;
			const own = typeof entry === 'string' ? { [name]: entry } : entry;
			const isThere = (one: string) => (one.startsWith('^') ? has(shape, one.slice(1)) : has(own, one));
			const missing = ofEntry.filter((field) => !pathsOf(field).some(isThere));
			expect(missing.map((field) => fieldOf(field).name)).toEqual([]);
		}
	});
});

const endpointOf = (path: string) => catalogue.find((utility) => utility.path === path)!;

const parameters: Array<DocumentedParameter & { path: string }> = documented.flatMap(
	({ path, parameters: all }) => all.map(({ key, notes }) => ({ path, key, notes })),
);

/** Behavior of a service that was observed where the document says less. */
const BY_EVIDENCE = { qrCodeDraws: '/v2/apis/qrcode' };

/** The types of the catalogue that fit the document. */
function typesFor({ path, key, notes }: (typeof parameters)[number]): Array<UtilityParameter['type']> {
	if (/YYYY-MM-DD/.test(notes)) return ['dateTime'];
	if (/integer/.test(notes)) return ['number'];
	if (/boolean/.test(notes)) return ['boolean'];
	if (/`1` fetches/.test(notes)) return ['boolean'];
	if (choicesIn(notes).length > 0) return ['options'];
	if (path === '/v2/apis/password' && notes === 'string') return ['boolean'];
	return ['from', 'to', 'id'].includes(key) ? ['resourceLocator', 'string'] : ['string'];
}

function choicesIn(notes: string): string[] {
	const [list = ''] = /^(L\/M\/Q\/H|`male`\/`female`|required: .*)/.exec(notes) ?? [];
	return list
		.replace('required: ', '')
		.split(/\/|, /)
		.map((choice) => choice.replace(/`/g, ''))
		.filter((choice) => /^[A-Za-z]+$/.test(choice));
}

describe('Catalogue', () => {
	it('has every path of the document, once', () => {
		const paths = documented.map(({ path }) => path);
		expect([...new Set(document.match(PATH))].sort()).toEqual([...paths].sort());
		const own = catalogue.map(({ path }) => path);
		expect(new Set(own).size).toBe(own.length);
		expect(own.filter((path) => paths.includes(path)).sort()).toEqual([...paths].sort());
	});

	it.each(documented)('has exactly the parameters and encodings of the document for $path', (described) => {
		const { path, parameters: all, encodings } = described;
		const { parameters: own, encodings: offered } = endpointOf(path);
		const sent = own.filter(({ keeps }) => !keeps);
		expect(sent.map(({ name }) => name).sort()).toEqual(all.map(({ key }) => key).sort());
		const observed = path === BY_EVIDENCE.qrCodeDraws ? ['image'] : [];
		expect([...offered].sort()).toEqual([...encodings, ...observed].sort());
	});

	it.each(parameters)('describes $key of $path like the document ($notes)', (described) => {
		const { path, key, notes } = described;
		const parameter = endpointOf(path).parameters.find((own) => own.name === key)!;
		expect(typesFor(described)).toContain(parameter.type);

		// The document does not say that a QR code needs a text, but the service rejects an empty one.
		const isNeeded = path === BY_EVIDENCE.qrCodeDraws && key === 'text';
		expect(parameter.required ?? false).toBe(notes.includes('required') || isNeeded);

		const [, preset = ''] = /default `?([^`,)]+)`?/.exec(notes) ?? [];
		// Without a preset in the editor, nothing is sent, and the default of the gateway applies.
		const isForeign = /\p{Script=Han}/u.test(preset);
		if (preset !== '') expect(presetOf(parameter)).toBe(isForeign ? '' : preset);

		const choices = choicesIn(notes);
		if (choices.length > 0) {
			const own = parameter.options as INodePropertyOptions[];
			expect(own.map(({ value }) => value).sort()).toEqual(choices.sort());
		}

		const [, maximum] = /maximum (\d+)/.exec(notes) ?? [];
		const { maxValue } = parameter.typeOptions ?? {};
		expect(maxValue).toBe(maximum === undefined ? undefined : Number(maximum));

		const isPresence = ['all', 'force-update'].includes(key);
		expect(parameter.sentAs).toBe(isPresence ? (notes.includes('`1`') ? '1' : 'true') : undefined);
	});
});
