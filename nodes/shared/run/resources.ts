import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';
import { hasFile } from '../files/storeFile';
import type { GatewayClient } from '../send/client';
import type { Redactor } from '../answer/redactor';
import type { PaidResults } from './paidResults';
import { ParameterReader } from './parameterReader';
import { Payments } from './payments';
import { Capacity } from './pool';
import { Progress } from './progress';

/** What the calls of one run share. */
export interface RunResources<Context extends IExecuteFunctions | ISupplyDataFunctions = IExecuteFunctions> {
	/** The engine's functions, for files and other helpers. */
	context: Context;
	client: GatewayClient;
	/** Removes the key from whatever leaves the node. */
	redactor: Redactor;
	capacity: Capacity;
	parameters: ParameterReader;
	payments: Payments;
	progress: Progress;
	/** What the run does only once. */
	done: Map<string, Promise<unknown>>;
}

/**
 * The resources of a new run.
 *
 * @param more `results` is what earlier tries of the run have paid for, undefined when n8n cannot repeat it; `stop` is
 *   aborted when nothing more starts; `progress` is by default that of a sub-node, which nobody sees
 */
export function runResources<Context extends IExecuteFunctions | ISupplyDataFunctions>(
	context: Context,
	client: GatewayClient,
	more: {
		parameters?: ParameterReader;
		results?: PaidResults;
		capacity?: Capacity;
		progress?: Progress;
		stop?: AbortSignal;
	} = {},
): RunResources<Context> {
	const {
		parameters = new ParameterReader(context),
		results,
		capacity = new Capacity(() => client.lanes.width),
		stop,
		progress = new Progress(1, client.clock),
	} = more;
	const payments = new Payments(client, {
		results,
		stop,
		executionId: context.getExecutionId(),
		hasFile: async (file) => await hasFile(context, file),
	});
	const { redactor } = client;
	return { context, client, redactor, capacity, parameters, payments, progress, done: new Map() };
}
