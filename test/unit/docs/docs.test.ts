import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { catalogue } from '../../../nodes/Utilities/catalogue';
import { generated } from '../../../tools/docs/generated';
import { NODE_WORDS } from '../../../tools/docs/nodeWords';
import { docsPages, nodePages, pages, project } from '../../../tools/docs/pages';
import { isAsked, labelOf, rowsOf } from '../../../tools/docs/parameterRows';
import { readmes } from '../../../tools/docs/readme';

const ROOT_PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const files = [...ROOT_PAGES.map((file) => path.join(project, file)), ...docsPages()];
const nameOf = (file: string) => path.relative(project, file);
const read = (file: string) => readFileSync(path.resolve(project, file), 'utf8');

describe('Documentation of the package', () => {
	it('is as the source says (npm run docs)', async () => {
		const all = await generated();
		const stale = all.filter(({ file, update }) => update(read(file)) !== read(file));
		expect(all.length).toBeGreaterThan(20);
		expect(stale.map(({ file }) => nameOf(file))).toEqual([]);
	});

	it('describes every parameter', async () => {
		const rows = (await pages()).flatMap(({ properties }) =>
			properties.filter(isAsked).flatMap((one) => rowsOf(one, properties)),
		);
		expect(rows.filter(({ description }) => description === '').map(labelOf)).toEqual([]);
	});

	it.each(readmes)(
		'lists examples in $language, and says how many endpoints there are',
		({ file: readme }) => {
			const text = read(readme);
			const examples = readdirSync(path.join(project, 'examples')).filter((file) => file.endsWith('.json'));
			expect(examples.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
			const counts = [...text.matchAll(/(\d+)(?:<!-- end of endpoints -->| endpoints| 个接口)/g)];
			expect(new Set(counts.map(([, count]) => Number(count)))).toEqual(new Set([catalogue.length]));
		},
	);

	it('has words for exactly the nodes of the package', async () => {
		const nodes = await nodePages();
		expect(Object.keys(NODE_WORDS).sort()).toEqual(nodes.map(({ nodeType }) => nodeType).sort());
	});

	it('has at most 30,000 words: for new ones, delete others', () => {
		// The changelog grows with each version.
		const counted = files.filter((file) => !file.endsWith('CHANGELOG.md'));
		const counts = counted.map((file) => read(file).split(/\s+/).length);
		expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(30_000);
	});
});

describe('Links', () => {
	/** The anchors of a page's titles, as GitHub makes them. */
	const anchorsOf = (file: string) =>
		[...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
			title
				.toLowerCase()
				.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
				.replaceAll(/\s/g, '-'),
		);
	const isBroken = (from: string, link: string) => {
		const [target, anchor] = link.split('#');
		const file = target === '' ? from : path.resolve(path.dirname(from), target);
		return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
	};

	it.each(files.map((file) => [nameOf(file), file]))('in %s lead to files and sections', (_name, file) => {
		const links = [...read(file).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
			.map(([, link, source]) => link ?? source)
			.filter((link) => !/^\w+:/.test(link));
		expect(links.filter((link) => isBroken(file, link))).toEqual([]);
	});

	it('of nodes, credentials, and issue forms lead to pages that exist', () => {
		const sources = ['nodes', 'credentials', '.github'].flatMap((folder) =>
			readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => /\.(ts|json|yml)$/.test(file))
				.map((file) => path.join(folder, file)),
		);
		const links = sources.flatMap((file) => [...read(file).matchAll(/\/blob\/main\/([\w./-]+)/g)]);
		expect(links.length).toBeGreaterThan(12);
		expect(
			links.map(([, target]) => target).filter((target) => !existsSync(path.join(project, target))),
		).toEqual([]);
	});

	it('of docs/dev/testing.md name test files that exist, at least one for each promise', () => {
		const rows = [...read('docs/dev/testing.md').matchAll(/^- \*\*.+?\*\*: .*$/gm)].map(([row]) => row);
		const named = rows.map((row) =>
			[...row.matchAll(/`((?:\w+\/)+\w+(?:\.test)?\.ts)`/g)].map(([, file]) => file),
		);
		expect(rows.length).toBeGreaterThan(10);
		expect(rows.filter((_, index) => named[index].length === 0)).toEqual([]);
		expect(named.flat().filter((file) => !existsSync(path.join(project, 'test', file)))).toEqual([]);
	});
});

describe('Messages on a page', () => {
	const source = ['nodes', 'credentials']
		.flatMap((folder) =>
			readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => file.endsWith('.ts'))
				.map((file) => read(path.join(folder, file))),
		)
		.join('\n')
		.replaceAll("\\'", "'");

	it.each(['docs/troubleshooting.md', 'docs/credential.md', 'docs/docker.md'])(
		'%s are messages of the source',
		(page) => {
			// Parts that are filled in are written as an ellipsis.
			const [prose] = read(page).split('<!-- parameters');
			const messages = [...prose.matchAll(/(?<=[ |])_((?:The|This|A|No|API Key|n8n|…) [^_|]{10,})_/g)].map(
				([, words]) => words,
			);
			const parts = messages.flatMap((words) => words.split('…').map((part) => part.trim()));
			expect(messages.length).toBeGreaterThan(2);
			expect(parts.filter((part) => !source.includes(part))).toEqual([]);
		},
	);

	it('have all of their kinds explained', () => {
		const [, union] = /type FailureKind =([^;]+);/.exec(read('nodes/shared/failure/kinds.ts')) ?? [];
		const kinds = [...(union ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind);
		const text = read('docs/troubleshooting.md');
		expect(kinds.length).toBeGreaterThan(10);
		expect(kinds.filter((kind) => !text.includes(`\`${kind}\``))).toEqual([]);
	});
});
