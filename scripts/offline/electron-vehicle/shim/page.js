// Runs before the page's own scripts in the vehicle: what current browsers have and Chromium 108 lacks. Never part of the application.
import 'core-js/actual';
