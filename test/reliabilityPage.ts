import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * docs/reliability.md. `npm run reliability` writes the page, and other commands have a section of it, between two
 * comments with their name.
 */

const ROOT = join(__dirname, '..');
const PAGE = join(ROOT, 'docs/reliability.md');
const SECTION = /<!-- (\w+): written by [^>]*-->[^]*?<!-- end of \1 -->/g;

/** The section of a command with its marks, or undefined if there is none. */
export function sectionOf(page: string, command: string): string | undefined {
	return [...page.matchAll(SECTION)].find(([, name]) => name === command)?.[0];
}

/** A page with a new section, in place of the one before of that name, or else at the end. */
export function withSection(page: string, name: string, content: string, command = name): string {
	const known = sectionOf(page, name);
	const section = `<!-- ${name}: written by \`npm run ${command}\` -->\n\n${content}\n\n<!-- end of ${name} -->`;
	return known ? page.replace(known, () => section) : `${page.trimEnd()}\n\n${section}\n`;
}

/** A page with the sections that another one has. */
export function withSectionsOf(page: string, before: string): string {
	const sections = [...before.matchAll(SECTION)].map(([section]) => section);
	return [page.trimEnd(), ...sections].join('\n\n') + '\n';
}

/** The current text of the page. */
export function readPage(): string {
	return readFileSync(PAGE, 'utf8');
}

/** Writes the page, formatted. */
export function writePage(text: string): void {
	writeFileSync(PAGE, text);
	execFileSync(process.execPath, [join(ROOT, 'node_modules/prettier/bin/prettier.cjs'), '--write', PAGE]);
}
