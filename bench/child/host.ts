import { createRequire } from 'node:module';
import path from 'node:path';
import type * as N8nCore from 'n8n-core';
import type * as N8nWorkflow from 'n8n-workflow';
import type { INodeType } from 'n8n-workflow';
import { folders } from '../../tools/host/folders';
import { packageFolder } from '../paths';

const requireFromN8n = createRequire(path.join(folders.demo, 'package.json'));

/** The engine of the n8n in `demo/`, because n8n's own nodes run only on their own version of it. */
export const core = requireFromN8n('n8n-core') as typeof N8nCore;
export const workflow = requireFromN8n('n8n-workflow') as typeof N8nWorkflow;
export const config = requireFromN8n('@n8n/config') as { GlobalConfig: unknown };
export const { Container } = requireFromN8n('@n8n/di') as {
	Container: { get<T>(token: unknown): T };
};

const FILES: Record<string, string> = {
	'@n8n/n8n-nodes-langchain.openAi': '@n8n/n8n-nodes-langchain/dist/nodes/vendors/OpenAi/OpenAi.node.js',
	'n8n-nodes-base.httpRequest': 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
};

/**
 * Loads the node of this type: one of ours, or one of n8n's own.
 *
 * @throws Error when the type is unknown
 */
export function loadNode(type: string): INodeType {
	const name = type.slice(type.lastIndexOf('.') + 1);
	const file = type.startsWith('n8n-nodes-unified-ai-gateway.')
		? path.join(packageFolder, `dist/nodes/${upperFirst(name)}/${upperFirst(name)}.node.js`)
		: path.join(folders.demo, 'node_modules', FILES[type]);
	const module = requireFromN8n(file) as Record<string, new () => INodeType>;
	return new module[upperFirst(name)]();
}

function upperFirst(name: string): string {
	return name[0].toUpperCase() + name.slice(1);
}
