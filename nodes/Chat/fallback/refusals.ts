import type { FailureFacts } from '../../shared/failure/evidence';
import type { GatewayFailure } from '../../shared/failure/failure';

/** Statuses of a gateway that is too busy (interface, section 7). */
const BUSY = [503, 529];

/** Tells whether another model may be asked after a failure that was free. */
export function mayFallBack({ kind, facts }: GatewayFailure, model: string): boolean {
	if (kind === 'unreachable' || kind === 'rateLimit') return true;
	if (kind === 'notFound') return isAboutModels(facts, model);
	const isBusy = kind === 'gateway' && BUSY.includes(facts.status ?? 0);
	return isBusy || (kind === 'request' && isUnknownModel(facts, model));
}

/** Tells whether what was not found may be the model. If the gateway sends no message, it may be. */
function isAboutModels({ code = '', gatewayMessage = '' }: FailureFacts, model: string): boolean {
	if (gatewayMessage === '' || gatewayMessage.includes(model)) return true;
	return /model|channel|模型|渠道/i.test(`${code} ${gatewayMessage}`);
}

/** `model_decommissioned` is Groq's (openfang#60). */
const CODES =
	/model_?(not_?(found|exist|available)|decommissioned)|(unknown|invalid|no_such|unsupported)_model(?!_)|no_available_channel/i;
/** Words that deny the model in a message, and phrases that deny one without its name: "Model Not Exist" (DeepSeek, addi#13). */
const DENIED = /not (a valid|exist|found|available)|doesn't exist|unknown|no such|不存在|不可用|无效|未找到/i;
const DENIED_MODEL =
	/\b(unknown|invalid|no such|unsupported) model\b|\bmodel ((does )?not exist|not found|is not available)|模型(不存在|不可用|无效|未找到)/i;

/** Some gateways reject the name of a model as if it were any other wrong value. */
function isUnknownModel({ code = '', gatewayMessage = '' }: FailureFacts, model: string): boolean {
	if (CODES.test(code) || DENIED_MODEL.test(gatewayMessage)) return true;
	const isNamed = gatewayMessage.includes(model) && /model|模型/i.test(gatewayMessage);
	return isNamed && DENIED.test(gatewayMessage);
}

/** Some gateways answer 501 to a field that they have not implemented. */
const NOT_IMPLEMENTED = 501;

/** Words about the form of a request, rather than its content. */
const ABOUT_FIELDS =
	/response_?(format|mime)|schema|json|tool|function|structured|param|field|propert|argument|unknown|unrecogni[sz]ed|unexpected|unsupported|not (support|allow|permit|implement|available)|extra|参数|字段|不支持/i;
/** OpenRouter has the model, but no provider of it accepts a field of the request (buzz#3018). */
const NOT_ROUTED = /no endpoints found that/i;
/** Words that show that the model ran, but failed to write what the field demands. */
const GENERATED = /fail(ed|ure)[ _](to[ _])?generat|json_validate_failed|generated/i;

/** Tells whether a request that was free may have been rejected because of a field in it. */
export function isFieldRefusal({ kind, facts }: GatewayFailure): boolean {
	const { partial, status, gatewayMessage = '', code = '', type = '' } = facts;
	if (partial || status === 413) return false;
	if (kind !== 'request' && status !== NOT_IMPLEMENTED && !NOT_ROUTED.test(gatewayMessage)) return false;
	const words = `${gatewayMessage} ${code}`;
	if (GENERATED.test(`${words} ${type}`)) return false;
	return gatewayMessage === '' || ABOUT_FIELDS.test(words);
}

/** Tells whether a gateway refuses only this schema, not its field (OpenAI: "Invalid schema for response_format"). */
export function refusesSchema({ facts: { gatewayMessage = '' } }: GatewayFailure): boolean {
	return /invalid schema/i.test(gatewayMessage);
}
