@echo off
rem SPDX-License-Identifier: Apache-2.0
rem
rem Not tried: no Windows was at hand.
rem
rem Runs the command seriatim from the folder that its archive was unpacked to.
rem
rem   JAVA_HOME            the Java to run on, 17 or later; else the one on the PATH
rem   SERIATIM_CLASSPATH   more jars, such as a database's JDBC driver
rem   SERIATIM_JAVA_OPTS   more options for Java

setlocal
set "home=%~dp0.."
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" %SERIATIM_JAVA_OPTS% -cp "%home%\lib\*;%SERIATIM_CLASSPATH%" dev.seriatim.cli.Main %*
exit /b %errorlevel%
