@echo off
rem SPDX-License-Identifier: Apache-2.0
rem
rem Runs the command seriatim on Windows. Builds it on first use; to build it again, run
rem mvnw.cmd -q -Dquick -pl tools/bench,tools/verify,tools/doctor -am package in this folder.
rem
rem   JAVA_HOME            the Java to run on, 17 or later; else the one on the PATH
rem   SERIATIM_CLASSPATH   more jars, such as a database's JDBC driver
rem   SERIATIM_JAVA_OPTS   more options for Java

setlocal
set "home=%~dp0"
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
if not exist "%home%tools\target\lib\seriatim-doctor.jar" (
    echo seriatim: building, first use only ... 1>&2
    call "%home%mvnw.cmd" -q -Dquick -f "%home%." -pl tools/bench,tools/verify,tools/doctor -am package 1>&2 || exit /b 1
)
"%java%" %SERIATIM_JAVA_OPTS% -cp "%home%tools\target\lib\*;%SERIATIM_CLASSPATH%" dev.seriatim.cli.Main %*
exit /b %errorlevel%
