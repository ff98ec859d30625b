import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../errors/errorMessages';

/** Options of earlier versions, and what to do instead. Workflows may still have them. */
const REMOVED = {
	addSummary: {
		displayName: 'Add Summary Item',
		instead: 'A hint after each run of several items shows what it has used.',
	},
	levelLoudness: {
		displayName: 'Level Loudness',
		instead: 'Level the finished file with an audio tool.',
	},
	repairJson: {
		displayName: 'Repair Invalid JSON',
		instead: 'Send the schema as a field of the request, or choose a model that keeps to it.',
	},
	runCeiling: {
		displayName: 'Run Ceiling',
		instead: 'Set Spending Limits in Options.',
	},
	shareEqual: {
		displayName: 'Pay for Equal Requests Once',
		instead: "Use n8n's Remove Duplicates node first.",
	},
} satisfies Record<string, { displayName: string; instead: string }>;

/** The name of an option that a node no longer has. */
export type RemovedOption = keyof typeof REMOVED;

/** Those that every node with Spending Limits has had. */
export const REMOVED_FROM_RUNS: RemovedOption[] = ['addSummary', 'runCeiling', 'shareEqual'];

/**
 * Entries of Options that only workflows show in which the option is still set. Without them, n8n would drop its value
 * silently. They are notices because nobody should set them, neither in the editor nor with n8n's AI builder.
 */
export function removedOptions(names: RemovedOption[]): INodeProperties[] {
	return names.map((name) => ({
		displayName: `${REMOVED[name].displayName} no longer exists. ${REMOVED[name].instead}`,
		name,
		type: 'notice',
		default: '',
		displayOptions: { show: { [name]: [{ _cnd: { exists: true } }] } },
	}));
}

/**
 * Refuses a run with an option that no longer exists, before anything is sent.
 *
 * @param options of the node
 * @throws GatewayFailure (kind `input`) that names the option and what to do instead
 */
export function refuseRemovedOptions(options: IDataObject): void {
	for (const [name, { displayName, instead }] of Object.entries(REMOVED)) {
		if (!options[name]) continue;
		throw inputFailure(displayName, 'no longer exists', `Replace this node by a new one. ${instead}`);
	}
}
