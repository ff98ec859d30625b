import type { INodeParameters, INodeType } from 'n8n-workflow';
import type { Rule } from '../../emulator';
import type { Repeatability } from '../../nodes/shared/failure/evidence';
import { chosen } from '../integration/engine/chosen';
import { nodeTypes, PACKAGE } from '../integration/engine/nodeTypes';
import { operationCases, titleOf } from '../integration/faults/operations';
import { paidCase, paidCases } from '../integration/paidOnce/cases';
import { CHAT, type PaidCase, TEXT } from '../integration/paidOnce/rows';
import { Agent } from './agent';
import type { Stage } from './world';

/** A node with its parameters, about which worlds are drawn. */
export interface Subject extends Pick<PaidCase, 'name' | 'binary' | 'chance'> {
	node: INodeType;
	parameters: INodeParameters;
	options: INodeParameters;
	/** A rule for the answers of the emulator. */
	rule: Rule;
	repeatability: Repeatability;
	/** The kinds of requests that it sends. */
	stages: Stage[];
	/** True if an agent asks a model, which remembers nothing. */
	isAgent: boolean;
	/** True if a tool is connected. */
	hasTool: boolean;
	/** True if items share requests. */
	isShared: boolean;
	/** True if the result of an item depends on all other items. */
	isRanked: boolean;
	/** True if answers are files instead of JSON or events. */
	isBinary: boolean;
	/** True if files are kept for a retry without a link to them. */
	keepsFiles: boolean;
}

const AGENT = new Agent();
const RANKING = 'Rerank of the input items';
const SHARED = ['Embed, all rows in a request', 'Embed, two rows in a request', RANKING];
const QUICK_SONGS: Rule = { music: { pendingMs: 1_000, processingMs: 9_000 } };

const WITH_TOOL = 'Chat with a tool';
const streamedFormats = ['Chat, messages', 'Chat, generate content'].map((name): PaidCase => ({
	...paidCase(name),
	name: `${name}, streamed`,
	options: { stream: true },
}));
const withTool: PaidCase = {
	...paidCase('Chat, one at a time'),
	name: WITH_TOOL,
	parameters: (text) => ({
		...paidCase('Chat, one at a time').parameters(text),
		prompt: `={{ 'What is the weather in Paris? ' + ${text} }}`,
	}),
};
const ofAnAgent: PaidCase = {
	name: 'Chat Model of an agent',
	node: 'agent',
	route: CHAT,
	parameters: () => ({ model: chosen('aurora-4'), format: 'chat' }),
};
const cases = [...paidCases, ...streamedFormats, withTool, ofAnAgent];

const asJson: PaidCase = {
	...paidCase('Chat, one at a time'),
	name: 'Chat, JSON',
	options: {},
	parameters: (text) => ({
		...paidCase('Chat, one at a time').parameters(text),
		output: 'json',
		schemaFrom: 'example',
		jsonExample: '{"color": "blue"}',
	}),
};
/** Other operations on one item that are not paid cases. */
const otherCases = operationCases
	.filter(({ node, input }) => !input && !['chat', 'embed', 'image', 'music'].includes(node))
	.map((one): PaidCase => {
		const { node, operation, parameters, rule } = one;
		const { options, ...own } = parameters;
		return {
			name: `Operation ${titleOf(one)}`,
			node,
			route: '',
			parameters: () => ({ ...own, operation }),
			options: (options ?? {}) as INodeParameters,
			...(rule ? { rule } : {}),
		};
	});

function subjectOf({ name, node, parameters, options = {}, rule, chance, binary }: PaidCase): Subject {
	const own = parameters(TEXT);
	const { parallelRequests, ...others } = options;
	const isMusic = node === 'music';
	const waits = isMusic && own.waitForCompletion !== false;
	const hasFiles = waits
		? (own.files as string[] | undefined)?.length !== 0
		: own.downloadImages === true && !rule;
	return {
		name,
		node: node === 'agent' ? AGENT : nodeTypes[`${PACKAGE}.${node}`],
		parameters: { simplify: true, ...own },
		options: parallelRequests === undefined ? options : others,
		rule: { ...(isMusic ? QUICK_SONGS : {}), ...rule },
		binary,
		isAgent: node === 'agent',
		hasTool: name === WITH_TOOL,
		repeatability: isMusic || node === 'voiceModel' ? 'create' : node === 'utilities' ? 'read' : 'generate',
		stages: ['paid', ...(waits ? (['poll'] as const) : []), ...(hasFiles ? (['file'] as const) : [])],
		isShared: SHARED.includes(name),
		isRanked: name === RANKING,
		isBinary: node === 'speech',
		keepsFiles: node === 'speech' || name === 'Image without a link',
		chance,
	};
}

/** The subjects of worlds: everything that must be paid for only once. */
export const subjects: Subject[] = cases.map(subjectOf);

/** The subjects of every operation, which include every reader of answers. */
export const allSubjects: Subject[] = [...subjects, ...[asJson, ...otherCases].map(subjectOf)];

/** Returns the subject with a name. @throws RangeError if there is none */
export function subjectNamed(name: string): Subject {
	const found = allSubjects.find((subject) => subject.name === name);
	if (!found) throw new RangeError(`There is no subject "${name}".`);
	return found;
}
