import { sourceFiles } from './sourceFiles';

/**
 * The places where something leaves the nodes, and the only files that may let it out. Each of them removes the key; a
 * new one must do so as well, with a test in test/integration/secrets.
 */
const EXITS: Record<string, { pattern: RegExp; files: string[] }> = {
	'hints of an execution': { pattern: /addExecutionHints/, files: ['shared/run/exits.ts'] },
	"n8n's log": { pattern: /\blogger\b|console\.\w/, files: ['shared/run/exits.ts'] },
	'chunks of a live answer': {
		pattern: /sendChunk|sendResponse/,
		files: ['Chat/liveText.ts'],
	},
	"attributes of n8n's traces": { pattern: /setMetadata/, files: ['shared/run/exits.ts'] },
	"the browser's console": { pattern: /sendMessageToUI/, files: ['shared/run/exits.ts'] },
	'runs of a sub-node': {
		pattern: /addInputData|addOutputData|logAiEvent/,
		files: ['shared/run/subNode.ts'],
	},
	'errors of a node': {
		pattern: /\.toNodeApiError|\.toSubNodeError/,
		files: ['shared/run/exits.ts'],
	},
	'the classes of these errors': {
		pattern: /new Node(Api|Operation)Error/,
		files: ['shared/errors/gatewayFailure.ts'],
	},
	'files in the binary store': {
		pattern: /prepareBinaryData|setBinaryDataBuffer|copyBinaryFile|binaryToBuffer/,
		files: ['shared/files/storeFile.ts'],
	},
	'what is saved with an execution': {
		pattern: /getContext\(|getWorkflowStaticData|customData/,
		files: ['shared/run/runSettings.ts'],
	},
	'results that are kept for a retry': {
		pattern: /results\??\.(keep|note)\(/,
		files: ['shared/run/payments.ts'],
	},
	'output items': {
		pattern: /toOutputItem\(/,
		files: ['shared/run/output.ts', 'shared/run/deliver.ts'],
	},
	'arguments of tools': {
		pattern: /tool\.invoke\(/,
		files: ['Chat/tools/connectedTools.ts', 'Chat/tools/toolBox.ts'],
	},
	'entries of lists in the editor': {
		pattern: /new Error\(/,
		files: ['shared/fields/picker.ts'],
	},
	'requests to the gateway and to other hosts': {
		pattern: /httpRequest|helpers\.request\b|fetch\(['"`a-z]*url/,
		files: ['shared/send/testCredential.ts', 'shared/send/transport.ts'],
	},
	'the result of the test of a credential': {
		pattern: /status: 'Error'/,
		files: ['shared/send/testCredential.ts'],
	},
};

const files = sourceFiles('nodes').map(({ path, text }) => ({
	path: path.slice('nodes/'.length),
	// What comments mention does not count.
	code: text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''),
}));

describe('An exit of the nodes', () => {
	it.each(Object.entries(EXITS))('is in the files that remove the key: %s', (_name, exit) => {
		const users = files.filter(({ code }) => exit.pattern.test(code)).map(({ path }) => path);
		expect(users.sort()).toEqual([...exit.files].sort());
	});

	it('is reached by every execution through a function that removes the key', () => {
		const entries = files.filter(({ path }) => path.endsWith('.node.ts'));
		const others = entries.filter(({ code }) => !/\b(runOperations|waitDurably|supplySubNode)\(/.test(code));
		expect(entries.length).toBeGreaterThan(10);
		expect(others.map(({ path }) => path)).toEqual([]);
	});

	it('uses the redactor in each of these files', () => {
		const unprotected = ['run/exits', 'run/subNode', 'run/payments', 'files/storeFile', 'fields/picker']
			.map((name) => `shared/${name}.ts`)
			.filter(
				(path) =>
					!/redactor\.(value|unfinished|text|bytes|failure)\(/.test(
						files.find((file) => file.path === path)?.code ?? '',
					),
			);
		expect(unprotected).toEqual([]);
	});
});
