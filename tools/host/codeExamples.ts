import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseWorkflowCode } from '@n8n/workflow-sdk';
import { folders } from './folders';
import type { Workflow } from './n8nTypes';

/** A workflow that is written in code, in the way of n8n's AI builder. */
export interface CodeExample {
	/** The absolute path. */
	file: string;
	/** A sentence that says what the workflow does. */
	sentence: string;
	code: string;
	workflow: Workflow;
}

/** Reads the workflows in code, sorted by file name. */
export function readCodeExamples(): CodeExample[] {
	const folder = path.join(folders.examples, 'code');
	return readdirSync(folder)
		.sort()
		.map((name) => {
			const file = path.join(folder, name);
			const code = readFileSync(file, 'utf8');
			const [, sentence = ''] = /^\/\*\* (.+) \*\/$/m.exec(code) ?? [];
			return { file, sentence, code, workflow: workflowOf(code) };
		});
}

/** Reads code like n8n's AI builder: without its imports, and without running it. */
function workflowOf(code: string): Workflow {
	const withoutImports = code.replace(/^import \{[^}]*\} from '[^']+';$/m, '');
	return parseWorkflowCode(withoutImports) as unknown as Workflow;
}
