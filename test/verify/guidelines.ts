import type { INodePropertyOptions } from 'n8n-workflow';
import { filesOfOthers, readOwner } from '../../tools/release/owner';
import { BUNDLED, sbom } from '../../tools/release/sbom';
import {
	allWorkflows,
	builtCode,
	credentialsOf,
	forbiddenCode,
	LOCK_FILES,
	lockFindings,
	nodesOf,
	read,
	textsOf,
} from './guidelineFacts';
import { newestRuleFindings } from './newestRules';

const VERIFICATION =
	'https://docs.n8n.io/connect/create-nodes/build-your-node/reference/verification-guidelines';
const UX = 'https://docs.n8n.io/connect/create-nodes/build-your-node/reference/ux-guidelines';
const RULES =
	'https://github.com/n8n-io/n8n/tree/master/packages/@n8n/eslint-plugin-community-nodes/docs/rules';
const STANDARDS = 'https://docs.n8n.io/integrations/community-nodes/building-community-nodes';

/** A published rule of n8n for verified community nodes, or one of our own for releases. */
interface Guideline {
	name: string;
	/** The page of n8n with the rule. */
	link?: string;
	/** Explains how the package follows it, in sentences. */
	evidence: string;
	/** What is wrong, in sentences; empty if nothing is. A guideline without one is checked by another check, or by people. */
	findings?: (project: string) => string[];
}

const published: Guideline[] = [
	{
		name: 'Published by a GitHub action, with provenance',
		evidence:
			'`.github/workflows/publish.yml` tests a tag and publishes it (`.ci/publish`) with `npm publish --provenance`, without a token. Actions are pinned by commit.',
		findings: (project) => {
			const workflow = read(project, '.github/workflows/publish.yml') + read(project, '.ci/publish');
			const needed = ['--provenance', 'id-token: write', 'npm audit signatures', 'npm run sbom'];
			const unpinned = [...allWorkflows(project).matchAll(/uses: (\S+)/g)].filter(
				([, action]) => !/@[0-9a-f]{40}$/.test(action),
			);
			return [
				...needed.filter((text) => !workflow.includes(text)).map((text) => `Publishing lacks "${text}".`),
				...unpinned.map(([, action]) => `${action} is not pinned by its commit.`),
			];
		},
	},
	{
		name: "n8n's tool for nodes",
		evidence:
			"`n8n-node lint` and `n8n-node build` of @n8n/node-cli 0.48.3 accept the project; `npm run build` also bundles libraries. n8n's scan of the sources and of the tarball finds nothing.",
	},
	{
		name: "Rules of n8n's newest linter",
		link: RULES,
		evidence:
			'The rules on the main branch that the linter on npm lacks are checked on the built nodes (`test/verify/newestRules.ts`). Of the sub-nodes, only the Chat Model is in the category AI, because the AI SDK has nothing for the others.',
		findings: newestRuleFindings,
	},
	{
		name: 'One service',
		evidence:
			'A gateway is one service, its utilities included: one account, one API key, one bill. All nodes have the same credential.',
		findings: (project) => {
			const credentials = nodesOf(project).flatMap((node) => node.credentials ?? []);
			const names = new Set(credentials.map(({ name }) => name));
			return names.size === 1 ? [] : [`The nodes need ${names.size} credentials.`];
		},
	},
	{
		name: 'No existing node',
		evidence: 'n8n has no node for this gateway. Each node type and each display name is its own.',
	},
	{
		name: 'No logic or flow control',
		evidence: 'Each node calls the gateway with its credential.',
		findings: (project) =>
			nodesOf(project)
				.filter(({ credentials = [] }) => !credentials.some(({ required }) => required === true))
				.map(({ displayName }) => `${displayName} works without the gateway.`),
	},
	{
		name: 'Repository and author',
		evidence:
			'`package.json`, the credential, the search words of all nodes, and the issue forms name the same repository and the same author (`tools/release/owner.json`).',
		findings: () => filesOfOthers(readOwner()).map((file) => `${file} names another owner than owner.json.`),
	},
	{
		name: 'License',
		evidence: 'MIT, in `LICENSE` and `package.json`.',
	},
	{
		name: 'Documentation',
		evidence:
			'The README says what the package does, how to install it, what the credential needs, and what the nodes do. Each node has a page with every parameter.',
		findings: (project) => {
			const readme = read(project, 'README.md');
			const titles = ['Install', 'Credential', 'Nodes', 'Examples'];
			const missing = titles.filter((title) => !readme.includes(`## ${title}`));
			return [
				...missing.map((title) => `README.md has no section "${title}".`),
				...(readme.includes('License: MIT') ? [] : ['README.md does not name the license.']),
			];
		},
	},
	{
		name: 'No runtime dependencies',
		evidence:
			'Libraries are bundled at build time; `dist/licenses.txt` has their licenses, and the bill of materials lists them. The bundle is not minified, and names the source file of each part; `marked` is published minified by its authors.',
		findings: (project) => {
			const licensed = [...read(project, 'dist/licenses.txt').matchAll(/^(\S+) \d\S* \(\S+\)$/gm)];
			const inBundle = licensed.map(([, name]) => name);
			const inBill = sbom(false).components.map(({ name }) => name);
			return [
				...inBundle.filter((name) => !BUNDLED.includes(name)).map((name) => `${name} must not be bundled.`),
				...BUNDLED.filter((name) => !inBundle.includes(name)).map((name) => `${name} is not bundled.`),
				...BUNDLED.filter((name) => !inBill.includes(name)).map(
					(name) => `${name} is not in the bill of materials.`,
				),
			];
		},
	},
	{
		name: 'No access to environment variables or files, no dynamic code',
		evidence:
			'The built code, with its bundled libraries, contains none of these. Binary data goes through the helpers of n8n.',
		findings: (project) => builtCode(project).flatMap(forbiddenCode),
	},
	{
		name: 'English',
		evidence:
			'All texts in the editor, all messages, and the documentation. In addition, `docs/zh-CN/README.md`, search words, and notes on examples are in Chinese.',
		findings: (project) => {
			const texts = [...nodesOf(project), ...credentialsOf(project)].flatMap(textsOf);
			return texts.filter((text) => /\p{Script=Han}/u.test(text)).map((text) => `Not in English: ${text}`);
		},
	},
	{
		name: 'Best practices of n8n',
		evidence:
			'Strict TypeScript, linked items, `NodeApiError` for failures, and requests through the helpers of n8n; the linter of n8n finds nothing (`npm run lint`).',
	},
	{
		name: 'Name and keyword',
		link: STANDARDS,
		evidence: 'n8n-nodes-unified-ai-gateway, with the keyword n8n-community-node-package (`npm run lint`).',
	},
	{
		name: 'Sensitive fields of credentials',
		link: UX,
		evidence: 'The API key is a password field.',
		// The linter does not see the fields that helpers create.
		findings: (project) =>
			credentialsOf(project).flatMap(({ properties }) =>
				properties
					.filter(({ name, type }) => type === 'string' && /key|secret|token/i.test(name))
					.filter(({ name, typeOptions }) => !/header/i.test(name) && !typeOptions?.password)
					.map(({ displayName }) => `${displayName} is not a password field.`),
			),
	},
	{
		name: 'Names of operations',
		link: UX,
		evidence:
			'Create, Get, and Get Many where they fit; otherwise the verb of the gateway, such as Generate.',
		findings: (project) =>
			nodesOf(project)
				.flatMap(({ properties }) =>
					properties.filter(({ name, type }) => name === 'operation' && type === 'options'),
				)
				.flatMap(({ options = [] }) => options as INodePropertyOptions[])
				.filter(({ action, description }) => !action || !description)
				.map(({ name }) => `Operation ${name} has no action or no description.`),
	},
	{
		name: 'Optional fields in collections',
		link: UX,
		evidence:
			"**Options** holds what most users leave alone. Above it are required fields, those that decide which others are shown, those that nearly every workflow sets, and n8n's own **Return All**, **Limit**, and **Simplify**.",
	},
	{
		name: 'Lists to choose from',
		link: UX,
		evidence: 'Models, voices, languages, and music charts are resource locators, with the list first.',
		findings: (project) =>
			nodesOf(project)
				.flatMap(({ properties }) => properties)
				.filter(({ type, modes }) => type === 'resourceLocator' && modes?.[0].type !== 'list')
				.map(({ displayName }) => `${displayName} does not begin with the list.`),
	},
	{
		name: 'Simplified output',
		link: UX,
		evidence:
			'Answers with many fields have a switch **Simplify**, on by default, and as few fields as its user needs come first (`test/integration/schemas/schemas.test.ts`).',
	},
];

const own: Guideline[] = [
	{
		name: 'Packages are what their authors published',
		evidence:
			'All lock files have a SHA-512 checksum for each package, and nothing comes from another address. `npm audit signatures` checks the signatures of the registry before a release.',
		findings: (project) => LOCK_FILES.flatMap((file) => lockFindings(read(project, file), file)),
	},
	{
		name: 'Bill of materials',
		evidence:
			'`npm run sbom` writes what the package consists of, and what it was built with, in CycloneDX. Both are attached to each release.',
	},
];

/** What n8n asks of a verified community node, in the order of its pages. `docs/dev/verification.md` is made of this list. */
export const guidelines: Guideline[] = [...published.map((one) => ({ link: VERIFICATION, ...one })), ...own];
