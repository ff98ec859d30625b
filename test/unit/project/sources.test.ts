import LIBRARIES from '../../../tools/libraries.json';
import { reachedFrom, sourceFiles, type SourceFile } from './sourceFiles';

/** The rules of docs/dev/architecture.md that neither the compiler nor lint checks. */

const published = sourceFiles('nodes', 'credentials');
const READER = 'nodes/shared/run/parameterReader.ts';

/** The feature that a file belongs to: a folder of `nodes/`, or the credential. */
function featureOf({ path }: SourceFile): string | undefined {
	const [top, folder] = path.split('/');
	if (top === 'credentials') return top;
	return LIBRARIES.includes(folder) ? undefined : folder;
}

describe('Source files', () => {
	it('of nodes/shared are reached by at least two features each', () => {
		const featuresOf = new Map<string, Set<string>>();
		for (const file of published) {
			const feature = featureOf(file);
			if (!feature) continue;
			for (const reached of reachedFrom(published, file.path)) {
				featuresOf.set(reached, (featuresOf.get(reached) ?? new Set()).add(feature));
			}
		}
		const lonely = published
			.filter((file) => file.path.startsWith('nodes/shared/'))
			.filter(({ path }) => (featuresOf.get(path)?.size ?? 0) < 2)
			.map(({ path }) => `${path}: ${[...(featuresOf.get(path) ?? ['nobody'])].join()}`);
		expect(lonely).toEqual([]);
	});

	it('of nodes/ read parameters only through the parameter reader', () => {
		const others = published.filter(({ path, text }) => text.includes('getNodeParameter') && path !== READER);
		expect(others.map(({ path }) => path)).toEqual([]);
	});
});

/** All that outlives a run; everything else belongs to a run. */
const ALLOWED = [
	// Long work of all runs takes turns in one event loop.
	'nodes/shared/plain/turns.ts: lastTurn',
	// A cache for what n8n asks for with each request; it goes with the credential of the run.
	// What all runs with a credential share.
	'nodes/shared/send/client.ts: states',
];

/** A variable, a static field, or a collection that is empty at first. */
const STATE =
	/^(?:export )?(?:let|const) (\w+)(?:(?<=let \w+)|[^=\n]*= (?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|\[\]);)|^\tstatic (\w+)(?:: [^=(\n]+)? =/gm;

/** A constant that is changed: by an assignment to a part of it, a count, or a method. */
const CHANGED =
	/(?<!const |typeof )\b([A-Z][A-Z0-9_]+)\b(?:\.\w+|\[[^\]]+\])*(?:\.(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)\(|\s*(?:[-+*/|&?]{0,2}=(?![=>])|\+\+|--))/g;

it('Nothing outlives a run but this, so that runs do not depend on each other', () => {
	const found = sourceFiles('nodes').flatMap(({ path, text }) => {
		const state = [...text.matchAll(STATE)].map(([, name, field]) => name ?? field);
		const changed = [...text.matchAll(CHANGED)].map(([, name]) => name);
		const ofModule = changed.filter((name) => new RegExp(`^(export )?const ${name}\\b`, 'm').test(text));
		return [...state, ...ofModule].map((name) => `${path}: ${name}`);
	});
	expect(found.sort()).toEqual(ALLOWED);
});

/**
 * The places where something leaves the nodes, and the only files that may let it out. Each of them removes the key; a
 * new one must do so as well, with a test in test/integration/secrets.
 */
const EXITS: Array<[what: string, pattern: RegExp, ...files: string[]]> = [
	['hints of an execution', /addExecutionHints/, 'shared/run/exits.ts'],
	["n8n's log", /\blogger\b|console\.\w/, 'shared/run/exits.ts', 'shared/send/client.ts'],
	['chunks of a live answer', /sendChunk|sendResponse/, 'Chat/liveText.ts'],
	["attributes of n8n's traces", /setMetadata/, 'shared/run/exits.ts'],
	["the browser's console", /sendMessageToUI/, 'shared/run/exits.ts'],
	['runs of a sub-node', /addInputData|addOutputData|logAiEvent/, 'shared/run/subNode.ts'],
	['errors of a node', /\.toNodeApiError|\.toSubNodeError/, 'shared/run/exits.ts'],
	['the classes of these errors', /new Node(Api|Operation)Error/, 'shared/failure/failure.ts'],
	[
		'files in the binary store',
		/prepareBinaryData|setBinaryDataBuffer|copyBinaryFile|binaryToBuffer/,
		'shared/files/storeFile.ts',
	],
	['saved with an execution', /getContext\(|getWorkflowStaticData|customData/, 'shared/run/runResources.ts'],
	['results that are kept for a retry', /results\.(keep|note)\(/, 'shared/run/payments.ts'],
	['output items', /toOutputItem\(/, 'shared/run/deliver.ts'],
	['arguments of tools', /tool\.invoke\(/, 'Chat/tools/connectedTools.ts', 'Chat/tools/toolBox.ts'],
	['lists in the editor', /GatewayClient\.of\(/, 'shared/fields/picker.ts', 'shared/run/runResources.ts'],
	[
		'requests to the gateway and to other hosts',
		/httpRequest|helpers\.request\b|fetch\(['"`a-z]*url/,
		...['shared/send/testCredential.ts', 'shared/send/transport.ts'],
	],
	['the result of the test of a credential', /status: 'Error'/, 'shared/send/testCredential.ts'],
];

const files = sourceFiles('nodes').map(({ path, text }) => ({
	path: path.slice('nodes/'.length),
	// What comments mention does not count.
	code: text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
}));

it('Only the exits say that nothing was sent, which would be said twice otherwise', () => {
	const users = files.filter(({ code }) => code.includes('Nothing was sent')).map(({ path }) => path);
	const ofFailures = ['failure', 'fate'].map((name) => `shared/failure/${name}.ts`);
	expect(users.sort()).toEqual([...ofFailures.sort(), 'shared/run/runReport.ts']);
});

describe('An exit of the nodes', () => {
	it.each(EXITS)('is in the files that remove the key: %s', (_what, pattern, ...expected) => {
		const users = files.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
		expect(users.sort()).toEqual(expected);
	});

	it('is reached by every execution through a function that removes the key', () => {
		const entries = files.filter(({ path }) => path.endsWith('.node.ts'));
		const others = entries.filter(({ code }) => !/\b(runOperations|waitDurably|supplySubNode)\(/.test(code));
		expect(entries.length).toBeGreaterThan(10);
		expect(others.map(({ path }) => path)).toEqual([]);
	});
});
