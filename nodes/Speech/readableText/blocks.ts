import { withoutEnd } from '../../shared/values';
import { withoutInlineMarks } from './emphasis';
import { withEndMark } from './endMarks';
import { tableAt } from './tables';

/** A paragraph, heading, list item, or row of a table. */
interface Block {
	lines: string[];
	/** Whether it has to end with a full stop. */
	isSentence: boolean;
	/** Whether a blank line separates it from the block before. */
	isApart: boolean;
}

/** A line without the marks of the quotations and lists that it is in. */
interface Line {
	content: string;
	isItem: boolean;
}

/** A mark of a quotation or a list item, also as texts have it that are no Markdown. */
const CONTAINER = /[ \t]*(?:>|[-*+·](?=[ \t]|$)|[•‣⁃◦▪▫●○■□◆◇▶►➤➢])[ \t]*/y;
/** The number of an item; it stays. */
const NUMBER =
	/^(?:\d{1,3}(?:[.)](?=\s|$|\p{Script=Han})|[、．）])|[（(]\d{1,3}[)）]|[（(]?[一二三四五六七八九十]{1,3}[、)）])[ \t]*/u;
const CHECKBOX = /^\[[ xX]\](?:\s|$)/;
const ALERT = /^\[!(note|tip|important|warning|caution)\]$/i;
const HEADING = /^#{1,6}(?:[ \t]+|$)|^#{2,6}(?=[\p{L}\p{N}])/u;
/** A line that is bold as a whole, above a paragraph, is a heading. */
const BOLD_LINE = /^(?:\*\*|__)[^*_]+(?:\*\*|__)[:：]?$/;
const UNDERLINE = /^(?:-+|=+)$/;
const RULE = /^(?:[-*_~=+#─━—–═][ \t]*){3,}$/;
const SPACES = /[ \t]+/g;

/**
 * A Markdown text as plain paragraphs. Headings, list items, and the rows of tables end with a full stop; the numbers
 * of lists stay; lines and paragraphs break where they did.
 */
export function plainParagraphs(text: string): string {
	let plain = '';
	let separator = '';
	for (const { lines, isSentence, isApart } of new BlockReader(text.split('\n')).read()) {
		if (isApart && plain !== '') separator = '\n\n';
		const content = tidy(withoutInlineMarks(lines.join('\n')));
		if (content === '') continue;
		plain += separator + (isSentence ? withEndMark(content) : content);
		separator = '\n';
	}
	return plain;
}

function tidy(text: string): string {
	const lines = text.split('\n').map((line) => line.replace(SPACES, ' ').trim());
	return lines.filter((line) => line !== '').join('\n');
}

function lineOf(line: string): Line {
	let position = 0;
	let isItem = false;
	CONTAINER.lastIndex = 0;
	for (let mark = CONTAINER.exec(line); mark; mark = CONTAINER.exec(line)) {
		position = CONTAINER.lastIndex;
		if (mark[0].trim() !== '>') isItem = true;
	}
	const content = line.slice(position).trim();
	const number = NUMBER.exec(content)?.[0] ?? '';
	const withoutCheckbox = number + content.slice(number.length).replace(CHECKBOX, '');
	if (number !== '') return { content: withoutCheckbox, isItem: true };
	return { content: isItem ? withoutCheckbox : content, isItem };
}

/** Finds the blocks of a text. */
class BlockReader {
	private readonly blocks: Block[] = [];
	/** The block that the next line may continue. */
	private current: Block | undefined;
	private isApart = true;

	constructor(private readonly lines: string[]) {}

	read(): Block[] {
		let index = 0;
		while (index < this.lines.length) {
			const table = tableAt((at) => this.contentAt(at), index);
			if (table) this.addAlone(table.rows);
			else this.readLine(lineOf(this.lines[index]));
			index = table ? table.end : index + 1;
		}
		return this.blocks;
	}

	private contentAt(index: number): string | undefined {
		return index < this.lines.length ? lineOf(this.lines[index]).content : undefined;
	}

	private readLine({ content, isItem }: Line): void {
		const heading = HEADING.exec(content);
		const alert = ALERT.exec(content);
		if (content === '' && isItem) this.current = undefined;
		else if (content === '') this.separate();
		else if (this.current && UNDERLINE.test(content)) this.underline(this.current);
		else if (RULE.test(content)) this.separate();
		else if (heading) this.addAlone([withoutClosingMarks(content.slice(heading[0].length))]);
		else if (alert) this.addAlone([alert[1]]);
		else if (isItem) this.begin(content, true);
		else if (this.current) this.current.lines.push(content);
		else if (BOLD_LINE.test(content)) this.addAlone([content]);
		else this.begin(content, false);
	}

	private begin(content: string, isSentence: boolean): void {
		this.current = { lines: [content], isSentence, isApart: this.isApart };
		this.blocks.push(this.current);
		this.isApart = false;
	}

	/** Adds headings or rows, which no other line continues. */
	private addAlone(sentences: string[]): void {
		this.separate();
		for (const sentence of sentences) this.begin(sentence, true);
		this.separate();
	}

	/** Makes a heading of the paragraph above a line. */
	private underline(block: Block): void {
		block.isSentence = true;
		this.separate();
	}

	private separate(): void {
		this.current = undefined;
		this.isApart = true;
	}
}

/** The text of a heading, which may end with number signs of its own: `## Title ##`, but not `# C#`. */
function withoutClosingMarks(title: string): string {
	const bare = withoutEnd(title, '#');
	return bare === '' || bare.endsWith(' ') ? bare : title;
}
