import type { AINodeConnectionType, IDataObject, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { Call } from './call';
import { Redactor } from '../answer/redactor';
import { cleanTrace, type Exit, subNodeError, since, type Trace, traceOf } from './exits';
import type { GatewayClient } from '../send/client';
import { ParameterReader } from './parameterReader';
import { openRun } from './runResources';

/** The parameters of a sub-node for one item of the node that uses it, and the gateway. */
export type SubNodeCall = Call<ISupplyDataFunctions>;

/** The `supplyData` of every sub-node: creates what it gives to the node that uses it. */
export async function supplySubNode(
	context: ISupplyDataFunctions,
	itemIndex: number,
	create: (call: SubNodeCall) => unknown,
): Promise<SupplyData> {
	const exit = { context, redactor: new Redactor([]) };
	return await withSubNodeErrors(exit, async () => {
		const run = await openRun(context, new ParameterReader(context));
		exit.redactor = run.redactor;
		traceRuns(context, run.client);
		return { response: create(new Call(run, itemIndex)) };
	});
}

/** Tells n8n's traces, with each run of the sub-node (even one that n8n logs), what was done since the run before. */
function traceRuns(context: ISupplyDataFunctions, { ledger, redactor }: GatewayClient): void {
	const { addOutputData } = context;
	let before: Trace = {};
	context.addOutputData = (type, index, data, metadata, ...others) => {
		const now = traceOf(ledger);
		const tracing = cleanTrace({ redactor }, since(now, before));
		before = now;
		addOutputData.call(context, type, index, data, { ...metadata, tracing }, ...others);
	};
}

/** Does a part of a sub-node's work. @throws NodeApiError for every failure, so that n8n shows it there */
export async function withSubNodeErrors<T>(
	exit: Exit<ISupplyDataFunctions>,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw await subNodeError(exit, error);
	}
}

/** Does a piece of work and shows it as a run of the sub-node; n8n does that only for LangChain's own classes. */
export async function loggedRun<T>(
	exit: Exit<ISupplyDataFunctions>,
	connectionType: AINodeConnectionType,
	input: IDataObject,
	work: () => Promise<{ value: T; output: IDataObject }>,
): Promise<T> {
	const { context, redactor } = exit;
	const { index } = context.addInputData(connectionType, [[{ json: await redactor.value(input) }]]);
	try {
		const { value, output } = await work();
		context.addOutputData(connectionType, index, [[{ json: await redactor.value(output) }]]);
		return value;
	} catch (error) {
		const nodeError = await subNodeError(exit, error);
		context.addOutputData(connectionType, index, nodeError);
		throw nodeError;
	}
}
