// Stands for better-sqlite3 in the vehicle's build: `libsql`, which loads there, with what it lacks of the same interface.
// Never part of the application.
const Libsql = require('libsql');

class Database extends Libsql {
  /** With `simple`, the bare value. */
  pragma(source, options = {}) {
    const rows = super.pragma(source);
    return options.simple ? Object.values(rows[0] ?? {})[0] : rows;
  }

  /** A transaction within another is a savepoint of it. */
  transaction(perform) {
    const outermost = super.transaction(perform);
    const inMode =
      (mode) =>
      (...args) =>
        this.inTransaction ? this.#inSavepoint(perform, args) : outermost[mode](...args);
    const modes = {
      default: inMode('default'),
      deferred: inMode('deferred'),
      immediate: inMode('immediate'),
      exclusive: inMode('exclusive'),
    };
    return Object.assign(modes.default, modes);
  }

  #inSavepoint(perform, args) {
    this.exec('SAVEPOINT within');
    try {
      const result = perform(...args);
      this.exec('RELEASE within');
      return result;
    } catch (error) {
      if (this.inTransaction) this.exec('ROLLBACK TO within; RELEASE within');
      throw error;
    }
  }
}

module.exports = Database;
