import type { INode } from 'n8n-workflow';
import type { EmulatorOptions } from '../../../emulator';
import { oneNode, runWorkflow, type RunOptions } from './runWorkflow';
import { useEmulator } from './useEmulator';

/**
 * Starts an emulator for the tests of a file, and provides a node that uses it.
 *
 * @param type its internal name
 * @param usual parameters that it has unless a test sets them
 */
export function useNode(type: string, usual: object = {}, options: EmulatorOptions = {}) {
	const gateway = useEmulator(options);
	const workflow = (parameters: object = {}, settings: Partial<INode> = {}) =>
		oneNode(type, { ...usual, ...parameters }, settings);
	return Object.assign(gateway, {
		workflow,
		run: async (parameters?: object, settings?: Partial<INode>, run: Partial<RunOptions> = {}) =>
			await runWorkflow(workflow(parameters, settings), { credential: gateway.credential(), ...run }),
	});
}
