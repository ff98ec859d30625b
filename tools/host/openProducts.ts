import path from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

import { Problem } from './problem';

/** A file that an example has made. */
export interface Product {
	/** Absolute path. */
	file: string;
	content: Buffer;
}

/**
 * Opens a ZIP file, or a feed in a parser.
 *
 * @returns what is in it; undefined for a file of another kind
 * @throws Problem when it cannot be opened
 */
export function openProduct({ file, content }: Product): string | undefined {
	switch (path.extname(file)) {
		case '.zip':
			return `${namesIn(content).length} files`;
		case '.xml':
			return `${episodesIn(content.toString()).length} episodes`;
		default:
			return undefined;
	}
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
