export { Doorkeeper } from './doorkeeper.js';
export {
  addLoss,
  bootstrapSize,
  defaultGate,
  literalGate,
  newGate,
  passGate,
  referenceGate,
  type GateConfig,
  type GateState,
  type GateVerdict,
} from './gate.js';
export { informationGain, meanDistance } from './information-gain.js';
