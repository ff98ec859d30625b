import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodePropertyOptions } from 'n8n-workflow';
import { presetOf } from '../../../tools/docs/utilities';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import type { Utility, UtilityParameter } from '../../../nodes/Utilities/catalogue/utility';

/** The interface document, word for word. */
const document = readFileSync(join(__dirname, '../../fixtures/interface.txt'), 'utf8');

interface DocumentedParameter {
	key: string;
	/** The text in brackets after the name. */
	notes: string;
}

interface DocumentedPath {
	path: string;
	parameters: DocumentedParameter[];
	encodings: string[];
}

const USUAL = ['json', 'text', 'markdown'];
const PATH = /\/v2\/apis\/[\w{}/-]+/g;

/** The entries of a list such as `date (a, b), encoding`; commas inside brackets do not separate entries. */
function entriesOf(cell: string): string[] {
	return cell.split(/,\s*(?![^(]*\))/).map((entry) => entry.trim());
}

function parametersOf(cell: string): DocumentedParameter[] {
	const entries = entriesOf(cell.replace(/; how the operation is selected: not shown$/, ''));
	const shared = /\(all (\w+)s\)/.exec(cell)?.[1];
	return entries
		.filter((entry) => entry !== 'list of supported language codes')
		.map((entry) => {
			const [, key, notes = ''] = /^([\w-]+)(?: \((.*)\))?$/.exec(entry)!;
			const isShared = shared && key !== 'encoding' && (notes === '' || notes.startsWith('all '));
			return { key, notes: isShared ? shared : notes };
		});
}

function readTable(): DocumentedPath[] {
	return document
		.split('\n')
		.filter((line) => line.startsWith('| /v2/apis/') && !line.includes('| maximum'))
		.filter((line) => line.split('|').length === 4)
		.flatMap((line) => {
			const [, paths, cell] = line.split('|').map((part) => part.trim());
			const all = parametersOf(cell);
			const encoding = all.find(({ key }) => key === 'encoding');
			const encodings = encoding ? (encoding.notes ? encoding.notes.split('/') : USUAL) : [];
			const [path, ...variants] = paths.match(PATH)!;
			return [
				{ path, parameters: all.filter(({ key }) => key !== 'encoding'), encodings },
				// A variant is listed without parameters.
				...variants.map((variant) => ({ path: variant, parameters: [], encodings: [] })),
			];
		});
}

function readEncodingOnly(): DocumentedPath[] {
	const paragraph = /Endpoints whose only parameter is `encoding`.*/.exec(document)![0];
	return paragraph.match(PATH)!.map((path) => ({ path, parameters: [], encodings: USUAL }));
}

const documented = [...readTable(), ...readEncodingOnly()];
const endpointOf = (path: string) => catalogue.find((utility) => utility.path === path)!;

const parameters = documented.flatMap(({ path, parameters: all }) =>
	all.map(({ key, notes }) => ({ path, key, notes })),
);

/** Behavior of a service that was observed where the document says less. */
const BY_EVIDENCE = { qrCodeDraws: '/v2/apis/qrcode' };

/** Where a user must choose although the gateway would: nobody wants a translation into any language. */
const BY_CHOICE = ['to of /v2/apis/fanyi'];

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

	it.each(documented)('has exactly the parameters of the document for $path', ({ path, parameters: all }) => {
		const { parameters: own } = endpointOf(path);
		expect(own.map(({ name }) => name).sort()).toEqual(all.map(({ key }) => key).sort());
	});

	it.each(documented)('has the encodings of the document for $path', ({ path, encodings }) => {
		const observed = path === BY_EVIDENCE.qrCodeDraws ? ['image'] : [];
		expect([...endpointOf(path).encodings].sort()).toEqual([...encodings, ...observed].sort());
	});

	it.each(parameters)('describes $key of $path like the document ($notes)', (described) => {
		const { path, key, notes } = described;
		const parameter = endpointOf(path).parameters.find((own) => own.name === key)!;
		expect(typesFor(described)).toContain(parameter.type);

		const isChosen = BY_CHOICE.includes(`${key} of ${path}`);
		// The document does not say that a QR code needs a text, but the service rejects an empty one.
		const isNeeded = path === BY_EVIDENCE.qrCodeDraws && key === 'text';
		expect(parameter.required ?? false).toBe(notes.includes('required') || isNeeded || isChosen);

		const [, preset = ''] = /default `?([^`,)]+)`?/.exec(notes) ?? [];
		// Without a preset in the editor, nothing is sent, and the default of the gateway applies.
		const isForeign = /\p{Script=Han}/u.test(preset);
		if (preset !== '') expect(presetOf(parameter)).toBe(isForeign || isChosen ? '' : preset);

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

	it('has the limits of the document for the days of a forecast and the size of a QR code', () => {
		expect(document).toContain('| forecast days | /v2/apis/weather/forecast | maximum 8 |');
		expect(document).toContain('| QR size default | /v2/apis/qrcode | 256 pixels |');
		const find = (path: string, key: string) =>
			(endpointOf(path) satisfies Utility).parameters.find((own) => own.name === key);
		expect(find('/v2/apis/weather/forecast', 'days')).toMatchObject({ typeOptions: { maxValue: 8 } });
		expect(find('/v2/apis/qrcode', 'size')).toMatchObject({ default: 256 });
	});
});
