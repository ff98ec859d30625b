import { readdirSync, readFileSync } from 'node:fs';
import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const root = import.meta.dirname;

/** The packages that `npm run build` bundles, because n8n does not have them. */
const BUNDLED = JSON.parse(readFileSync(`${root}/tools/release/bundled.json`, 'utf8'));

/** What n8n installs: everything that its community rules apply to. */
const SHIPPED = ['{nodes,credentials}/**/*.ts'];

/**
 * The directions of docs/dev/architecture.md, "Who may import whom": each room of `nodes/shared`, and the rooms that it may
 * import from `nodes`.
 */
const SHARED_ROOMS = {
	plain: [],
	'olderEngines.ts': [],
	limiter: ['olderEngines.ts', 'plain'],
	failure: ['plain'],
	answer: ['failure', 'plain'],
	send: ['answer', 'limiter', 'failure', 'olderEngines.ts', 'plain'],
	files: ['send', 'answer', 'failure', 'olderEngines.ts', 'plain'],
	fields: ['send', 'answer', 'limiter', 'failure', 'plain'],
	run: ['fields', 'files', 'send', 'answer', 'limiter', 'failure', 'olderEngines.ts', 'plain'],
};

const sharedZones = Object.entries(SHARED_ROOMS).map(([room, below]) => ({
	target: `nodes/shared/${room}`,
	from: 'nodes',
	except: [room, ...below].map((name) => `shared/${name}`),
	message:
		below.length > 0
			? `shared/${room} may import only from these rooms of nodes/shared: ${below.join(', ')}.`
			: `shared/${room} imports nothing from nodes/.`,
}));

/** What features import. Those beside `nodes/shared` are about one subject. */
const LIBRARIES = JSON.parse(readFileSync(`${root}/tools/libraries.json`, 'utf8'));

const nodeFolders = readdirSync(`${root}/nodes`, { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && !LIBRARIES.includes(entry.name))
	.map((entry) => entry.name);

const sidewaysZones = nodeFolders.map((name) => ({
	target: `nodes/${name}`,
	from: 'nodes',
	except: [name, ...LIBRARIES],
	message:
		'Node folders do not import each other: code that two of them need moves to a library, such as nodes/shared.',
}));

const CHAT_FORMATS = 'nodes/Chat/formats';

/** What Chat's rooms may not know. */
const CHAT_ZONES = [
	{
		target: ['nodes/Chat/*.ts', 'nodes/Chat/!(formats)/**', `${CHAT_FORMATS}/!(formats).ts`],
		from: `${CHAT_FORMATS}/*/**`,
		message: 'Only the rows of formats.ts know the formats.',
	},
	...readdirSync(`${root}/${CHAT_FORMATS}`, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => ({
			target: `${CHAT_FORMATS}/${name}`,
			from: `${CHAT_FORMATS}/!(${name})/**`,
			message: 'A format does not know another one.',
		})),
	{
		target: 'nodes/Chat/!(model)/**',
		from: 'nodes/Chat/model',
		message: 'Only the Chat Model itself uses what is in its folder.',
	},
	{
		target: 'nodes/Chat/{formats,json}/**',
		from: 'nodes/Chat/{tools,fallback,operations,*.ts}',
		message: 'Formats and JSON answers know nothing of the conversation that they are used in.',
	},
];

const IMPORT_ZONES = [
	...sharedZones,
	{
		target: 'nodes/shared',
		from: 'nodes',
		except: ['shared'],
		message: 'nodes/shared imports nothing else from nodes/.',
	},
	...sidewaysZones,
	{
		target: 'nodes/audio',
		from: 'nodes',
		except: ['audio', ...['files', 'answer', 'failure', 'plain'].map((name) => `shared/${name}`)],
		message: 'nodes/audio knows files, but no node and no gateway.',
	},
	{
		target: 'nodes/batches',
		from: 'nodes',
		except: ['batches', 'shared'],
		message: 'nodes/batches imports only nodes/shared.',
	},
	{
		target: 'nodes/*/operations/**',
		from: 'nodes/*/*.node.ts',
		message: 'A node file assembles its operations; operations do not import it.',
	},
	{
		target: ['nodes/*/!(*.node).ts', 'nodes/*/!(operations)/**'],
		from: 'nodes/*/{operations/**,*.node.ts}',
		message: 'Operations import helpers, not the other way around.',
	},
	...CHAT_ZONES,
	{
		target: 'nodes',
		from: 'credentials',
		message: 'The credential imports shared code, not the other way around.',
	},
	{
		target: 'credentials',
		from: 'nodes',
		except: ['shared/fields', 'shared/send', 'shared/failure', 'shared/plain'],
		message:
			'A credential may import only from shared/fields, shared/send, shared/failure, and shared/plain.',
	},
	{
		target: ['nodes', 'credentials'],
		from: ['emulator', 'tools', 'test', 'bench'],
		message: 'The published package imports only what is published.',
	},
	{
		target: 'emulator',
		from: ['nodes', 'credentials', 'tools', 'test', 'bench'],
		message: 'The emulator is an independent reading of the interface document and imports nothing else.',
	},
];

/** Which packages a folder may import; the zones above are about relative imports. */
function packagesOnly(packages, message) {
	const names = packages.map((name) => `${name}$`).join('|');
	return {
		'no-restricted-imports': ['error', { patterns: [{ regex: `^(?!\\.{1,2}/|${names})`, message }] }],
	};
}

export default defineConfig(
	{ ignores: ['dist/', 'coverage/', 'demo/.state/', 'demo/output/'] },
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },

	{
		files: ['**/*.{js,cjs,mjs}'],
		...js.configs.recommended,
		languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly' } },
	},
	{
		files: ['**/*.{js,cjs}'],
		languageOptions: { sourceType: 'commonjs', globals: { __dirname: 'readonly' } },
	},

	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			// `async` is also how a function without `await` fulfils an interface that gives a promise.
			'@typescript-eslint/require-await': 'off',
			'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
		},
	},
	{
		// Tables are as long as what they list.
		files: ['**/{catalogue,data}/**/*.ts'],
		rules: { 'max-lines': 'off' },
	},
	{ files: SHIPPED, rules: { 'max-lines': ['error', 250] } },
	{
		// Tests read answers of unknown shape on purpose: the assertion is the check.
		files: ['test/**/*.ts', '**/*.test.ts'],
		rules: {
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
			'@typescript-eslint/unbound-method': 'off',
			'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
		},
	},

	{
		// A machine that is busy with other things must not fail a test. Of a time that was measured, only the least is certain.
		files: ['test/{unit,integration}/**/*.test.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				{
					selector: "CallExpression[callee.object.name='performance'][callee.property.name='now']",
					message:
						'Tests compare orders, counts, and times of a clock of their own, or `elapsed` with the least.',
				},
				{
					selector: "CallExpression[callee.property.name=/^toBeLess/] CallExpression[callee.name='elapsed']",
					message: 'How long something takes depends on the machine.',
				},
			],
		},
	},

	{
		files: ['**/*.ts'],
		plugins: { 'import-x': importX },
		settings: {
			'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })],
			'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
		},
		rules: {
			'import-x/no-restricted-paths': ['error', { basePath: root, zones: IMPORT_ZONES }],
			'import-x/no-cycle': 'error',
		},
	},
	{
		files: SHIPPED,
		rules: packagesOnly(
			['n8n-workflow', '@n8n/ai-node-sdk', 'zod', 'zod/v4', 'crypto', 'node:crypto', ...BUNDLED],
			'At run time, n8n offers no other packages to community nodes, and tools/release/bundled.json does not list it',
		),
	},
	{
		files: SHIPPED,
		rules: {
			'no-restricted-syntax': [
				'error',
				{ selector: 'ImportExpression', message: "n8n's packages cannot be reached with import()." },
			],
		},
	},
	{
		// Gateways, files, and items send any text: a pattern must not take more than linear time for it.
		files: SHIPPED,
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': 'error',
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	{
		// Older versions of n8n do not have the SDK, and marked takes time to load: both are required when they are needed.
		files: ['nodes/Chat/sdk.ts', 'nodes/Speech/spokenText/markdownOf.ts'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},

	// n8n's own rules, composed per folder as its community scan does (see test/verify/scan).
	{
		files: [...SHIPPED, '{nodes,credentials}/**/*.json', 'package.json', 'index.js'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { 'no-console': 'error' },
	},
	{ files: ['**/*.json'], languageOptions: { parser: tseslint.parser } },
	{ files: ['package.json'], rules: n8nNodesBase.configs.community.rules },
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);
