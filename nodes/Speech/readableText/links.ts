import { GAP } from './gaps';

/** `[label]: address "title"`; only with something like an address, because "[Anna]: Hello." is a dialogue. */
const DEFINITION =
	/^[ \t>]*\[([^\]\n^][^\]\n]*)\]:[ \t]*(<[^>\n]*>|\S+)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$/gm;
const ADDRESS = /^(?:<|[a-z][\w+.-]*:\S|\/|#|\.{1,2}\/|www\.)|[\w-]\.[a-z]{2}/i;
/** The note itself stays, as an item of a list. */
const FOOTNOTE_DEFINITION = /^[ \t>]*\[\^[^\]\n]+\]:[ \t]*/gm;
/** An entry of a list of sources, `[1] Source` or `【1】来源`, or a title with such a number. */
const NUMBERED_LINE = /^([ \t>]*)(?:\[([1-9]\d{0,2})\](?:[ \t]+|:[ \t]+)|【([1-9]\d{0,2})】[ \t]*)(?=\S)/gm;
/** A citation in full-width brackets, also of an assistant with files: 【4:0†source】. */
const FULL_WIDTH_CITATION = /【\d{1,3}(?::\d{1,3})?(?:†[^】\n]{0,200})?】/g;

const TOKEN = /!?\[|\]|\n[ \t]*\n/g;
const TARGET =
	/\(\s*(?:(?:<[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*)?\)/y;
const REFERENCE = /\[([^[\]\n]{0,200})\]/y;
const CITATION = /^(?:\^[^\s^]{1,50}|[1-9]\d{0,2}(?:\s?[,，、–-]\s?[1-9]\d{0,2})*)$/;

/**
 * A text with the labels of Markdown links in place of the links, and without images, definitions of references, and
 * the numbers of citations and footnotes. Other brackets stay.
 */
export function withoutLinks(text: string): string {
	const labels = new Set<string>();
	const body = text
		.replace(DEFINITION, (definition, label: string, address: string) => {
			if (!ADDRESS.test(address)) return definition;
			labels.add(labelKey(label));
			return '';
		})
		.replace(FOOTNOTE_DEFINITION, '- ')
		.replace(
			NUMBERED_LINE,
			(_, indent: string, number?: string, wide?: string) => `${indent}${number ?? wide ?? ''}. `,
		)
		.replace(FULL_WIDTH_CITATION, GAP);
	return new LinkReader(body, labels).read();
}

function labelKey(label: string): string {
	return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Reads nested brackets from the innermost out, in one go. */
class LinkReader {
	private readonly pieces: string[] = [];
	/** Indexes of the opening brackets in the pieces. */
	private openings: number[] = [];
	private position = 0;

	constructor(
		private readonly text: string,
		private readonly labels: Set<string>,
	) {}

	read(): string {
		for (const { 0: token, index } of this.text.matchAll(TOKEN)) {
			if (index < this.position) continue;
			this.pieces.push(this.text.slice(this.position, index));
			this.position = index + token.length;
			if (token === ']') this.close();
			else this.open(token);
		}
		return this.pieces.join('') + this.text.slice(this.position);
	}

	private open(token: string): void {
		// Brackets do not reach beyond a paragraph.
		if (token.startsWith('\n')) this.openings = [];
		else this.openings.push(this.pieces.length);
		this.pieces.push(token);
	}

	private close(): void {
		const opening = this.openings.pop();
		if (opening === undefined) {
			this.pieces.push(']');
			return;
		}
		const isImage = this.pieces[opening] === '![';
		const label = this.pieces.length === opening + 2 ? this.pieces[opening + 1] : '';
		const isLink = this.skipTarget(label);
		if (CITATION.test(label)) this.replace(opening, isImage ? `!${GAP}` : GAP);
		else if (isLink && isImage) this.replace(opening, GAP);
		else if (isLink) this.pieces[opening] = '';
		else this.pieces.push(']');
	}

	private replace(opening: number, replacement: string): void {
		this.pieces.length = opening;
		this.pieces.push(replacement);
	}

	/** Goes past the address of a link, or its reference to one. @returns whether there is one */
	private skipTarget(label: string): boolean {
		const target = this.match(TARGET);
		if (target) return true;
		const reference = this.match(REFERENCE, ([, key]) => this.labels.has(labelKey(key || label)));
		return reference || this.labels.has(labelKey(label));
	}

	private match(pattern: RegExp, accepts: (match: RegExpExecArray) => boolean = () => true): boolean {
		pattern.lastIndex = this.position;
		const match = pattern.exec(this.text);
		if (!match || !accepts(match)) return false;
		this.position += match[0].length;
		return true;
	}
}
