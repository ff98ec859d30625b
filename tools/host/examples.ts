import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { folders } from './folders';
import { demoFiles, type Language } from './language';
import type { Credential, NodeType, Workflow, WorkflowNode } from './n8nTypes';
import { Problem } from './problem';
import type { N8nRest } from './rest';
import { readState } from './state';

/** The credential type of the nodes. */
export const credentialType = 'unifiedAiGatewayApi';

/** Triggers that need no external event: "Execute workflow" runs the workflow. */
const selfStarting = new Set(['n8n-nodes-base.scheduleTrigger', 'n8n-nodes-base.manualTrigger']);
const chatTrigger = '@n8n/n8n-nodes-langchain.chatTrigger';
const formTrigger = 'n8n-nodes-base.formTrigger';
const formPage = 'n8n-nodes-base.form';
const webhook = 'n8n-nodes-base.webhook';

/** The placeholder for the address of the user's gateway in the examples. */
const exampleAddress = 'https://gateway.example.com';

/** A chat message of a visitor of the demo. */
const sampleQuestion = 'What is in the news today? Draw a picture of the first story.';

/** The emulator's models by node type, for the fields that an example leaves for the user to fill in. */
const emulatorModels: Record<string, string> = {
	chat: 'aurora-4-mini',
	chatModel: 'aurora-4',
	image: 'image-2',
	speech: 'svc-tts',
	rerank: 'reranker-v2-m3',
	rerankerModel: 'reranker-v2-m3',
	embed: 'embedding-3-small',
	embeddingsModel: 'embedding-3-small',
};
/** The emulator's replacements for services on the internet: feeds and group chats. */
const emulatorServices: Record<string, string> = {
	'https://feeds.bbci.co.uk/news/world/rss.xml': 'feed.xml',
	'https://www.theguardian.com/world/rss': 'other-feed.xml',
	'https://open.feishu.cn': 'feishu',
	'https://qyapi.weixin.qq.com': 'wecom',
};
/** The emulator's voices for English and Chinese. */
const emulatorVoices = { en: 'Anders', zh: '新闻主播' };

/** The duration of a wait in the demo, where an example pauses its execution. */
const shortWait = { amount: 5, unit: 'seconds' };

/** An example that was imported into n8n. */
export interface ImportedExample {
	workflowId: string;
	name: string;
	start: Start;
}

/** The way to run an example. */
export interface Start {
	/** The name of the trigger from which it runs. */
	trigger: string;
	/** The input from outside, for a chat or a form. */
	input?: Record<string, unknown>;
	/** The page that a visitor opens, relative to n8n's address: a form of several pages, or a webhook. */
	opens?: string;
}

/**
 * Reads the example workflows, sorted by file name.
 *
 * @param language excludes other languages, and puts the morning show first
 */
export async function readExamples(language?: Language): Promise<Workflow[]> {
	const all = (await readdir(folders.examples)).filter((file) => file.endsWith('.json')).sort();
	const files = language === undefined ? all : demoFiles(all, language);
	const texts = files.map(async (file) => await readFile(path.join(folders.examples, file), 'utf8'));
	return (await Promise.all(texts)).map((text) => JSON.parse(text) as Workflow);
}

/** The trigger from which "Execute workflow" runs an example; undefined when it waits for an external call. */
export function triggerOf({ nodes }: Workflow): string | undefined {
	return nodes.find(({ type, disabled }) => selfStarting.has(type) && !disabled)?.name;
}

/**
 * Returns the way to run an example: from its trigger, with a question for a chat and the default values of a form.
 * Forms of several pages and webhooks are opened instead.
 *
 * @throws Problem when it has no such trigger
 */
export function startOf(workflow: Workflow): Start {
	const trigger = triggerOf(workflow);
	if (trigger !== undefined) return { trigger };
	const chat = workflow.nodes.find(({ type }) => type === chatTrigger);
	if (chat) {
		const input = { action: 'sendMessage', sessionId: 'demo', chatInput: sampleQuestion };
		return { trigger: chat.name, input };
	}
	const served = workflow.nodes.find(({ type }) => type === webhook);
	if (served) return { trigger: served.name, opens: `webhook/${served.parameters.path as string}` };
	const form = workflow.nodes.find(({ type }) => type === formTrigger);
	if (form && workflow.nodes.some(({ type }) => type === formPage)) {
		return { trigger: form.name, opens: `form/${form.webhookId as string}` };
	}
	if (form) {
		const { values } = form.parameters.formFields as { values: FormField[] };
		const entries = values.map(({ fieldLabel, defaultValue }) => [fieldLabel, defaultValue]);
		return { trigger: form.name, input: Object.fromEntries(entries) as Record<string, unknown> };
	}
	throw new Problem(
		`The example "${workflow.name}" cannot be run: it has no trigger of a known type.`,
		'Use a manual, schedule, chat, form, or webhook trigger.',
	);
}

interface FormField {
	fieldLabel: string;
	defaultValue: string;
}

/** An example with the emulator's models and voices where it leaves the choice to the user, and with its services. */
export function withEmulatorChoices(example: Workflow): Workflow {
	const voice = emulatorVoices[/\p{Script=Han}/u.test(example.name) ? 'zh' : 'en'];
	const nodes = example.nodes.map((node) => {
		const kind = node.type.slice(node.type.lastIndexOf('.') + 1).replace(/Tool$/, '');
		const parameters = { ...node.parameters };
		for (const [field, value] of Object.entries({ model: emulatorModels[kind], voice })) {
			const chosen = parameters[field] as { value?: unknown } | undefined;
			if (chosen?.value === '') parameters[field] = { ...chosen, value, cachedResultName: value };
		}
		return { ...node, parameters: withEmulatorServices(parameters) };
	});
	return { ...example, nodes };
}

function withEmulatorServices(parameters: WorkflowNode['parameters']): WorkflowNode['parameters'] {
	let text = JSON.stringify(parameters);
	for (const [address, path] of Object.entries(emulatorServices)) {
		text = text.replaceAll(address, `${exampleAddress}/__emulator/${path}`);
	}
	return JSON.parse(text) as WorkflowNode['parameters'];
}

/**
 * Prepares an example for a quick run, as its notes tell the user: selects the credential in its nodes, enters the
 * address of the gateway where n8n's own nodes need it, and shortens its waits.
 *
 * @param baseUrl the base URL of the gateway, as in the credential
 */
export function prepareExample(
	example: Workflow,
	credential: Credential,
	nodeTypes: NodeType[],
	baseUrl: string,
): Workflow {
	const address = baseUrl.trim().replace(/(\/v1)?\/*$/, '');
	const typesWithCredential = new Set(
		nodeTypes
			.filter(({ credentials }) => credentials?.some(({ name }) => name === credentialType))
			.map(({ name }) => name),
	);
	const nodes = example.nodes.map((node) => {
		const usesCredential = typesWithCredential.has(node.type) || credentialType in (node.credentials ?? {});
		const { id, name } = credential;
		const credentials = usesCredential
			? { ...node.credentials, [credentialType]: { id, name } }
			: node.credentials;
		const parameters = JSON.parse(
			JSON.stringify(node.parameters).replaceAll(exampleAddress, address),
		) as WorkflowNode['parameters'];
		const wait = node.type === 'n8n-nodes-base.wait' ? shortWait : {};
		return { ...node, credentials, parameters: { ...parameters, ...wait } };
	});
	return { ...example, nodes };
}

/**
 * Imports each example once. Replaces an example that n8n already has only when its file has changed, which keeps
 * changes made in the editor.
 *
 * @param digestFile stores the digests of the imported examples
 */
export async function importExamples(
	rest: N8nRest,
	examples: Workflow[],
	digestFile: string,
): Promise<ImportedExample[]> {
	const digests = (await readState<Record<string, string>>(digestFile)) ?? {};
	const ids = await rest.workflowIds();
	const imported: ImportedExample[] = [];
	for (const example of examples) {
		const { name } = example;
		const digest = createHash('sha256').update(JSON.stringify(example)).digest('hex');
		const existing = ids.get(name);
		const workflowId =
			existing && digests[name] === digest ? existing : await rest.saveWorkflow(example, existing);
		digests[name] = digest;
		imported.push({ workflowId, name, start: startOf(example) });
	}
	await writeFile(digestFile, JSON.stringify(digests, null, 2));
	return imported;
}
