import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The interface document, word for word. */
export const interfaceDocument = readFileSync(join(__dirname, '../../fixtures/interface.txt'), 'utf8');

export interface DocumentedParameter {
	key: string;
	/** The text in parentheses after the name. */
	notes: string;
}

interface DocumentedPath {
	path: string;
	parameters: DocumentedParameter[];
	encodings: string[];
}

const USUAL = ['json', 'text', 'markdown'];
export const PATH = /\/v2\/apis\/[\w{}/-]+/g;

/** Returns the entries of a list such as `date (a, b), encoding`. Commas inside parentheses do not separate entries. */
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
	return interfaceDocument
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
				// A variant has no parameters in the document.
				...variants.map((variant) => ({ path: variant, parameters: [], encodings: [] })),
			];
		});
}

function readEncodingOnly(): DocumentedPath[] {
	const paragraph = /Endpoints whose only parameter is `encoding`.*/.exec(interfaceDocument)![0];
	return paragraph.match(PATH)!.map((path) => ({ path, parameters: [], encodings: USUAL }));
}

/** Every utility endpoint of the interface document. */
export const documented = [...readTable(), ...readEncodingOnly()];
