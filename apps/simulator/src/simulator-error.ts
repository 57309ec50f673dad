/** A failure that was foreseen (a bad line, a missing data set): its sentence is all that is shown. */
export class SimulatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SimulatorError';
  }
}
