import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

import type { Browser } from './browser';
import { Problem } from './problem';

/** A file that an example has made. */
export interface Product {
	/** Absolute path. */
	file: string;
	content: Buffer;
}

/**
 * Opens a file as a person would: a ZIP file, a feed in a parser, and a page in a browser if there is one.
 *
 * @returns what is in it; undefined for a file of another kind
 * @throws Problem when it cannot be opened
 */
export async function openProduct(
	{ file, content }: Product,
	browser?: Browser,
): Promise<string | undefined> {
	const kind = path.extname(file);
	if (kind === '.zip') return `${namesIn(content).length} files`;
	if (kind === '.xml') return `${episodesIn(content.toString()).length} episodes`;
	return kind === '.html' && browser ? `${await picturesOn(file, browser)} pictures` : undefined;
}

/** The names of the files in a ZIP file, from its directory at the end. */
export function namesIn(zip: Buffer): string[] {
	const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
	if (end < 0) throw new Problem('The ZIP file cannot be opened.', 'Open the node that has made it.');
	let position = zip.readUInt32LE(end + 16);
	return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
		const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(position + field));
		const from = position + 46;
		position = from + name + extra + comment;
		return zip.toString('utf8', from, from + name);
	});
}

/** The titles of the episodes in a feed. */
export function episodesIn(feed: string): string[] {
	const verdict = XMLValidator.validate(feed);
	if (verdict !== true) {
		throw new Problem(`The feed is not valid XML: ${verdict.err.msg}`, 'Open the address of the feed.');
	}
	const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'item' });
	const { rss } = parser.parse(feed) as { rss: { channel: { item?: Array<{ title: string }> } } };
	return (rss.channel.item ?? []).map(({ title }) => title);
}

/** How many pictures a page shows. */
async function picturesOn(file: string, browser: Browser): Promise<number> {
	const viewport = { width: 1000, height: 900 };
	const page = await browser.newPage({ viewport, colorScheme: 'light', reducedMotion: 'reduce' });
	try {
		await page.goto(pathToFileURL(file).href);
		const pictures = '[...document.images]';
		const missing = await page.evaluate(
			`${pictures}.filter(({ naturalWidth }) => naturalWidth === 0).length`,
		);
		if (missing !== 0) throw new Problem(`A picture on the page ${file} is missing.`, 'Open the page.');
		return (await page.evaluate(`${pictures}.length`)) as number;
	} finally {
		await page.close();
	}
}
