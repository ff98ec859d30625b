import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { toFailure } from '../shared/errors/gatewayFailure';
import { SIMPLIFY } from '../shared/fields/options';
import type { Call } from '../shared/run/call';
import type { OperationFailure, OperationResult } from '../shared/run/operation';
import { Asker } from './asker';
import { type Outcome, outcomeOf, shownRuns } from './dialogue';
import { readFallbackModels } from './fallback/fields';
import { MODEL, STREAM } from './fields';
import { simplifiedOutput } from './formats/answer';
import type { Fields } from './formats/assembler';
import { readInput } from './input.fields';
import { readJsonOptions } from './json/fields';
import { LiveText } from './liveText';
import type { QuestionWriter } from './question';
import { connectedTools } from './tools/connectedTools';
import { ToolBox } from './tools/toolBox';

/**
 * Asks a chat model: reads the parameters that all operations have, sends the requests, and makes the output item.
 *
 * @param writer writes the requests in the format of the operation
 * @throws GatewayFailure; it keeps the part of the answer that had arrived
 */
export async function ask(
	call: Call,
	writer: QuestionWriter,
): Promise<OperationResult | Array<OperationResult | OperationFailure>> {
	const json = readJsonOptions(call);
	const input = await readInput(call, writer.input);
	const models = [...new Set([call.picked(MODEL), ...readFallbackModels(call)])];
	const streamed = call.options.flag(STREAM);
	const isSimple = call.flag(SIMPLIFY);
	const toolBox = new ToolBox(call, await connectedTools(call), writer.input.format, writer.ownFunctions);
	const live = new LiveText(call, streamed);
	const files: Record<string, IBinaryData> = {};
	const asker = new Asker({ call, writer, live, files });
	live.begin();
	try {
		const outcome = await outcomeOf(asker, { input, models, streamed, json, toolBox });
		live.end();
		return { json: outputOf(outcome, isSimple), files };
	} catch (error) {
		const failure = toFailure(error);
		live.failed(failure);
		if (Object.keys(files).length > 0) return [{ failure, files }];
		throw failure;
	}
}

function outputOf(
	{ answer, bodies, parsed, toolRuns, unavailable }: Outcome,
	isSimple: boolean,
): IDataObject {
	return {
		...(isSimple ? simplifiedOutput(answer, parsed) : rawOutput(bodies, parsed)),
		...(toolRuns.length > 0 ? { toolRuns: shownRuns(toolRuns) } : {}),
		...(unavailable.length > 0 ? { unavailableModels: unavailable.map((one) => ({ ...one })) } : {}),
	};
}

/** The last answer as the gateway sent it, and those before it, oldest first, of an item that needed several. */
function rawOutput([last, ...earlier]: Fields[], parsed: Outcome['parsed']): IDataObject {
	const before = earlier.length > 0 ? { earlierResponses: earlier.reverse() } : {};
	return { ...last, ...parsed, ...before } as IDataObject;
}
